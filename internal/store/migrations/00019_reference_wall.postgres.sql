-- +goose Up
ALTER TABLE reference_tables ENABLE ROW LEVEL SECURITY;
ALTER TABLE reference_tables FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON reference_tables USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
