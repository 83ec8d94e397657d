-- +goose Up
ALTER TABLE organisation_exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE organisation_exports FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON organisation_exports USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
