-- +goose Up
ALTER TABLE batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE batches FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON batches USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE batch_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE batch_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON batch_rows USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
