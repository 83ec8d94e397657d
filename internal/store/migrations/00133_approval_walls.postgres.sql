-- +goose Up
ALTER TABLE approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON approvals USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
