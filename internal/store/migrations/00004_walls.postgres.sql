-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'audit events are append-only'; END $$;
-- +goose StatementEnd
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Behind every statement's own filter: a row shows itself to its organisation
-- alone, and to the few statements that declare to see all ('*').
-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['organisations', 'users', 'memberships', 'api_keys', 'filings', 'filing_keys',
        'events', 'jobs', 'answers', 'transmissions', 'inbox', 'messages']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd
