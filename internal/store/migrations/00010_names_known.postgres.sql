-- +goose Up
ALTER TABLE filing_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE filing_names FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON filing_names USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

SELECT set_config('tidewaiter.org', '*', true);
INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, 'client.eori', upper(replace(body::jsonb ->> 'eori', ' ', '')), id
FROM filings WHERE kind = 'client' AND replace(coalesce(body::jsonb ->> 'eori', ''), ' ', '') <> '';

INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, 'client.name', upper(replace(body::jsonb ->> 'name', ' ', '')), id FROM filings WHERE kind = 'client';
