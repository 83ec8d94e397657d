-- +goose Up
-- Names sort by their bytes, as they do in SQLite and in the program.
ALTER TABLE deadlines ALTER COLUMN name TYPE TEXT COLLATE "C";

-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['deadlines', 'feeds']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd
