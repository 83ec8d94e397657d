-- +goose Up
ALTER TABLE delivery_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON delivery_numbers USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE delivery_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON delivery_changes USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
