-- +goose Up
ALTER TABLE exchange_rate_imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_rate_imports FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON exchange_rate_imports USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
