-- +goose Up
ALTER TABLE inbox_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox_items FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON inbox_items USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE inbox_reads ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox_reads FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON inbox_reads USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE inbox_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON inbox_settings USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
