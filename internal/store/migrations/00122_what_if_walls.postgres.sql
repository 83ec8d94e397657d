-- +goose Up
ALTER TABLE what_ifs ENABLE ROW LEVEL SECURITY;
ALTER TABLE what_ifs FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON what_ifs USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE what_if_pieces ENABLE ROW LEVEL SECURITY;
ALTER TABLE what_if_pieces FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON what_if_pieces USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE what_if_pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE what_if_pages FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON what_if_pages USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
