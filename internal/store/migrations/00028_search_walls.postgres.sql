-- +goose Up
-- References sort by their bytes, so that the index finds them by their beginning.
ALTER TABLE filing_keys ALTER COLUMN value TYPE TEXT COLLATE "C";

-- Blocks are packed as they are, and read often.
ALTER TABLE search_blocks ALTER COLUMN packed SET STORAGE EXTERNAL;

-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['search_blocks', 'search_heads', 'saved_views']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd
