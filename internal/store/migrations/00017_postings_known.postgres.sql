-- +goose Up
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE postings FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON postings USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

SELECT set_config('tidewaiter.org', '*', true);
INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'import_vat', (added::jsonb ->> 'clearedAt')::timestamptz, round((added::jsonb ->> 'totalVatGbp')::numeric * 100)::bigint
FROM filings WHERE kind = 'declaration' AND status = 'CLEARED' AND body::jsonb ->> 'declarationType' = 'IMPORT' AND added::jsonb ->> 'clearedAt' IS NOT NULL;
