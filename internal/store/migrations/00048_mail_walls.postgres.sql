-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['mails', 'ended_sessions']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd
