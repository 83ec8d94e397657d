-- +goose Up
-- The sums of the ledger entries of a client's records in a month of London, maintained with every change.
CREATE TABLE client_tallies (
    org_id    TEXT   NOT NULL,
    client_id TEXT   NOT NULL,
    ledger    TEXT   NOT NULL,
    month     TEXT   NOT NULL,
    records   BIGINT NOT NULL,
    amount    BIGINT NOT NULL,
    PRIMARY KEY (org_id, client_id, ledger, month)
);
CREATE INDEX client_tallies_by_amount ON client_tallies (org_id, ledger, month, amount, client_id);

-- The seconds that clearance took, of declarations that were cleared before this ledger.
INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'clearance_time', cleared, max(0, CAST((julianday(cleared) - julianday(begun)) * 86400 + 0.001 AS INTEGER))
FROM (SELECT org_id, id, json_extract(added, '$.clearedAt') AS cleared, CASE WHEN json_extract(added, '$.prelodged')
    THEN COALESCE(json_extract(added, '$.acceptedAt'), json_extract(added, '$.submittedAt')) ELSE json_extract(added, '$.submittedAt') END AS begun
    FROM filings WHERE kind = 'declaration' AND status = 'CLEARED')
WHERE cleared IS NOT NULL AND begun IS NOT NULL
ON CONFLICT DO NOTHING;

-- The clocks of London are an hour ahead wherever a month from April to October begins.
INSERT INTO ledger_tallies (org_id, ledger, month, records, amount)
SELECT org_id, ledger, CASE WHEN strftime('%m', posted_at, '+1 hour') BETWEEN '04' AND '10'
    THEN strftime('%Y-%m', posted_at, '+1 hour') ELSE strftime('%Y-%m', posted_at) END AS month, count(*), sum(amount)
FROM postings WHERE ledger = 'clearance_time' GROUP BY 1, 2, 3
ON CONFLICT DO NOTHING;

INSERT INTO client_tallies (org_id, client_id, ledger, month, records, amount)
SELECT p.org_id, f.client_id, p.ledger, CASE WHEN strftime('%m', p.posted_at, '+1 hour') BETWEEN '04' AND '10'
    THEN strftime('%Y-%m', p.posted_at, '+1 hour') ELSE strftime('%Y-%m', p.posted_at) END AS month, count(*), sum(min(p.amount, 1000000000000000))
FROM postings p JOIN filings f ON f.org_id = p.org_id AND f.id = p.filing_id WHERE f.client_id IS NOT NULL GROUP BY 1, 2, 3, 4;
