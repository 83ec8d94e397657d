-- +goose Up
ALTER TABLE tariff_parts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tariff_parts FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON tariff_parts USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
