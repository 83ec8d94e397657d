-- +goose Up
ALTER TABLE what_if_uploads ENABLE ROW LEVEL SECURITY;
ALTER TABLE what_if_uploads FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON what_if_uploads USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
