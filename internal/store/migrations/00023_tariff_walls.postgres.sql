-- +goose Up
ALTER TABLE tariff_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_versions USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
ALTER TABLE tariff_in_force ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_in_force FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_in_force USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
ALTER TABLE tariff_tables ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_tables FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_tables USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
