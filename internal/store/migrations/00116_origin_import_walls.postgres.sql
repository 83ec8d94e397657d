-- +goose Up
ALTER TABLE origin_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE origin_imports FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON origin_imports USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
