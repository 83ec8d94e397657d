-- +goose Up
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
ALTER TABLE attachments FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON attachments USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE attachment_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE attachment_chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON attachment_chunks USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE declaration_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE declaration_files FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON declaration_files USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
