-- +goose Up
-- Customs, or its simulator, knows an accepted declaration by its DUCR too.
SELECT set_config('tidewaiter.org', '*', true);
INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, CASE WHEN added::jsonb ->> 'referenceSource' IS NULL THEN 'declaration.ducr' ELSE 'declaration.ducr.simulated' END, upper(added::jsonb ->> 'ducr'), id
FROM filings WHERE kind = 'declaration' AND added::jsonb ->> 'mrn' IS NOT NULL AND coalesce(added::jsonb ->> 'ducr', '') <> ''
ON CONFLICT DO NOTHING;
