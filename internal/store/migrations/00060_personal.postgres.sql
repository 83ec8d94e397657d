-- +goose Up
-- Personal values stand beside the event, which holds a salted hash of each. They can be erased, one by one, and
-- nothing else of an event can be changed. Partitions keep their own triggers: by their names nothing is changed at all.
ALTER TABLE events ADD COLUMN personal TEXT NOT NULL DEFAULT '';

DROP TRIGGER events_are_never_changed ON events;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OF org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id,
    from_status, to_status, actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose StatementBegin
CREATE FUNCTION refuse_all_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'personal' IS DISTINCT FROM to_jsonb(OLD) - 'personal' THEN
        RAISE EXCEPTION 'audit events are append-only';
    END IF;
    IF jsonb_array_length(NEW.personal::jsonb) <> jsonb_array_length(OLD.personal::jsonb) OR EXISTS (
        SELECT 1 FROM jsonb_array_elements(NEW.personal::jsonb) WITH ORDINALITY AS n (value, place)
        JOIN jsonb_array_elements(OLD.personal::jsonb) WITH ORDINALITY AS o (value, place) USING (place)
        WHERE n.value <> o.value AND n.value <> jsonb_build_object('name', o.value -> 'name')) THEN
        RAISE EXCEPTION 'personal values of audit events can only be erased';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER events_are_only_erased BEFORE UPDATE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_all_but_erasure();
