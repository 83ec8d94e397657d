-- +goose Up
INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, 'client.eori', upper(replace(json_extract(body, '$.eori'), ' ', '')), id
FROM filings WHERE kind = 'client' AND replace(coalesce(json_extract(body, '$.eori'), ''), ' ', '') <> '';

INSERT INTO filing_names (org_id, name, value, filing_id)
SELECT org_id, 'client.name', upper(replace(json_extract(body, '$.name'), ' ', '')), id FROM filings WHERE kind = 'client';
