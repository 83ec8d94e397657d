-- +goose Up
ALTER TABLE consent_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON consent_requests USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE consent_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE consent_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON consent_tokens USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
