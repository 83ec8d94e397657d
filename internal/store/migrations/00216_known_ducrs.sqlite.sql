-- +goose Up
-- Customs, or its simulator, knows an accepted declaration by its DUCR too.
INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, CASE WHEN json_extract(added, '$.referenceSource') IS NULL THEN 'declaration.ducr' ELSE 'declaration.ducr.simulated' END, upper(json_extract(added, '$.ducr')), id
FROM filings WHERE kind = 'declaration' AND json_extract(added, '$.mrn') IS NOT NULL AND coalesce(json_extract(added, '$.ducr'), '') <> ''
ON CONFLICT DO NOTHING;
