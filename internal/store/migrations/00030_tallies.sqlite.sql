-- +goose Up
-- How many records of a kind are in a state, of those created in a month of London;
-- kept with every change, as are the two tables below.
CREATE TABLE filing_tallies (
    org_id  UUID   NOT NULL,
    kind    TEXT   NOT NULL,
    status  TEXT   NOT NULL,
    month   TEXT   NOT NULL,
    records BIGINT NOT NULL,
    PRIMARY KEY (org_id, kind, status, month)
);

-- What a ledger comes to in a month of London.
CREATE TABLE ledger_tallies (
    org_id  UUID   NOT NULL,
    ledger  TEXT   NOT NULL,
    month   TEXT   NOT NULL,
    records BIGINT NOT NULL,
    amount  BIGINT NOT NULL,
    PRIMARY KEY (org_id, ledger, month)
);

-- How many deliveries arrived or were given up on a day of London, and how many
-- attempts failed that are tried again.
CREATE TABLE delivery_tallies (
    org_id     UUID   NOT NULL,
    day        TEXT   NOT NULL,
    outcome    TEXT   NOT NULL,
    deliveries BIGINT NOT NULL,
    PRIMARY KEY (org_id, day, outcome)
);

INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'import_duty', json_extract(added, '$.clearedAt'), CAST(round(json_extract(added, '$.totalDutyGbp') * 100) AS INTEGER)
FROM filings WHERE kind = 'declaration' AND status = 'CLEARED' AND json_extract(body, '$.declarationType') = 'IMPORT'
AND json_extract(added, '$.clearedAt') IS NOT NULL AND json_extract(added, '$.totalDutyGbp') IS NOT NULL;

INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'cbam_emissions.' || json_extract(body, '$.category'), created_at,
    CAST(min(round(COALESCE(json_extract(body, '$.embeddedEmissionsKgCo2'), json_extract(added, '$.embeddedEmissionsKgCo2')) * 1000), 4e18) AS INTEGER)
FROM filings WHERE kind = 'cbam.import' AND COALESCE(json_extract(body, '$.embeddedEmissionsKgCo2'), json_extract(added, '$.embeddedEmissionsKgCo2')) IS NOT NULL;

-- The clocks of London are an hour ahead wherever a month from April to October begins.
INSERT INTO filing_tallies (org_id, kind, status, month, records)
SELECT org_id, kind, status, CASE WHEN strftime('%m', created_at, '+1 hour') BETWEEN '04' AND '10'
    THEN strftime('%Y-%m', created_at, '+1 hour') ELSE strftime('%Y-%m', created_at) END AS month, count(*)
FROM filings GROUP BY 1, 2, 3, 4;

INSERT INTO ledger_tallies (org_id, ledger, month, records, amount)
SELECT org_id, ledger, CASE WHEN strftime('%m', posted_at, '+1 hour') BETWEEN '04' AND '10'
    THEN strftime('%Y-%m', posted_at, '+1 hour') ELSE strftime('%Y-%m', posted_at) END AS month, count(*), sum(min(amount, 1000000000000000))
FROM postings GROUP BY 1, 2, 3;

-- Of deliveries before this table, the day of UTC has to do.
INSERT INTO delivery_tallies (org_id, day, outcome, deliveries)
SELECT org_id, strftime('%Y-%m-%d', COALESCE(delivered_at, created_at)), status, count(*)
FROM deliveries WHERE status <> 'PENDING' GROUP BY 1, 2, 3;
