-- +goose Up
INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'import_vat', json_extract(added, '$.clearedAt'), CAST(round(json_extract(added, '$.totalVatGbp') * 100) AS INTEGER)
FROM filings WHERE kind = 'declaration' AND status = 'CLEARED' AND json_extract(body, '$.declarationType') = 'IMPORT' AND json_extract(added, '$.clearedAt') IS NOT NULL;
