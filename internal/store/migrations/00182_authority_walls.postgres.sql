-- +goose Up
ALTER TABLE authority_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON authority_messages USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE authority_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_names FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON authority_names USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE authority_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_records FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON authority_records USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE authority_polls ENABLE ROW LEVEL SECURITY;
ALTER TABLE authority_polls FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON authority_polls USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
