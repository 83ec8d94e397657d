-- +goose Up
ALTER TABLE tariff_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_uses USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
ALTER TABLE tariff_alerts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_alerts FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_alerts USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
