-- +goose Up
-- What must not be removed: a record, or with no record the whole organisation.
CREATE TABLE holds (
    org_id    UUID    NOT NULL,
    record_id TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    set_at    INSTANT NOT NULL,
    PRIMARY KEY (org_id, record_id)
);

-- Where a trail begins since its oldest events were removed: behind this one.
CREATE TABLE trail_cuts (
    org_id      UUID    NOT NULL,
    sequence    BIGINT  NOT NULL,
    hash        TEXT    NOT NULL,
    occurred_at INSTANT NOT NULL,
    cut_at      INSTANT NOT NULL,
    hashes      TEXT    NOT NULL DEFAULT '', -- of the events before the cut that are in no tile yet, one behind the other
    PRIMARY KEY (org_id)
);

-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['holds', 'trail_cuts']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd

-- Nobody deletes an event, but whoever removes what lies before the cut and is older
-- than the law lets anybody remove.
-- +goose StatementBegin
CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.occurred_at < now() - interval '4 years'
        AND EXISTS (SELECT 1 FROM trail_cuts c WHERE c.org_id = OLD.org_id AND c.sequence >= OLD.sequence) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit events are append-only';
END $$;
-- +goose StatementEnd
DROP TRIGGER events_are_never_changed ON events;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_deletion();

-- Removes some of an organisation's events before its cut; the role of the service
-- has no right to delete an event.
-- +goose StatementBegin
CREATE FUNCTION remove_events(organisation UUID, most INTEGER) RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE removed BIGINT;
BEGIN
    DELETE FROM events WHERE org_id = organisation AND sequence IN (
        SELECT e.sequence FROM events e WHERE e.org_id = organisation
        AND e.sequence <= (SELECT c.sequence FROM trail_cuts c WHERE c.org_id = organisation)
        AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = organisation AND h.record_id IN ('', e.resource_id))
        ORDER BY e.sequence LIMIT most);
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END $$;
-- +goose StatementEnd

-- Functions that run with their owner's rights look for tables nowhere else.
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION remove_events(UUID, INTEGER) SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
