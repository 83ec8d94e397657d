-- +goose Up
-- The sums of the ledger entries of a client's records in a month of London, maintained with every change. Names sort by
-- their bytes.
CREATE TABLE client_tallies (
    org_id    UUID   NOT NULL,
    client_id UUID   NOT NULL,
    ledger    TEXT   COLLATE "C" NOT NULL,
    month     TEXT   COLLATE "C" NOT NULL,
    records   BIGINT NOT NULL,
    amount    BIGINT NOT NULL,
    PRIMARY KEY (org_id, client_id, ledger, month)
);
CREATE INDEX client_tallies_by_amount ON client_tallies (org_id, ledger, month, amount, client_id);
ALTER TABLE client_tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE client_tallies FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON client_tallies USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

SELECT set_config('tidewaiter.org', '*', true);

-- The seconds that clearance took, of declarations that were cleared before this ledger.
INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'clearance_time', cleared, greatest(0, floor(extract(epoch FROM cleared - begun)))::bigint
FROM (SELECT org_id, id, (added::jsonb ->> 'clearedAt')::timestamptz AS cleared, CASE WHEN added::jsonb ->> 'prelodged' = 'true'
    THEN COALESCE(added::jsonb ->> 'acceptedAt', added::jsonb ->> 'submittedAt') ELSE added::jsonb ->> 'submittedAt' END::timestamptz AS begun
    FROM filings WHERE kind = 'declaration' AND status = 'CLEARED') AS d
WHERE cleared IS NOT NULL AND begun IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO ledger_tallies (org_id, ledger, month, records, amount)
SELECT org_id, ledger, to_char(posted_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*), sum(amount)::bigint
FROM postings WHERE ledger = 'clearance_time' GROUP BY 1, 2, 3
ON CONFLICT DO NOTHING;

INSERT INTO client_tallies (org_id, client_id, ledger, month, records, amount)
SELECT p.org_id, f.client_id, p.ledger, to_char(p.posted_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*), sum(least(p.amount, 1000000000000000))::bigint
FROM postings p JOIN filings f ON f.org_id = p.org_id AND f.id = p.filing_id WHERE f.client_id IS NOT NULL GROUP BY 1, 2, 3, 4;
