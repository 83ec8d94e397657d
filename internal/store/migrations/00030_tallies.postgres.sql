-- +goose Up
-- How many records of a kind are in a state, of those created in a month of London;
-- kept with every change, as are the two tables below. Names sort by their bytes.
CREATE TABLE filing_tallies (
    org_id  UUID   NOT NULL,
    kind    TEXT   COLLATE "C" NOT NULL,
    status  TEXT   COLLATE "C" NOT NULL,
    month   TEXT   COLLATE "C" NOT NULL,
    records BIGINT NOT NULL,
    PRIMARY KEY (org_id, kind, status, month)
);

-- What a ledger comes to in a month of London.
CREATE TABLE ledger_tallies (
    org_id  UUID   NOT NULL,
    ledger  TEXT   COLLATE "C" NOT NULL,
    month   TEXT   COLLATE "C" NOT NULL,
    records BIGINT NOT NULL,
    amount  BIGINT NOT NULL,
    PRIMARY KEY (org_id, ledger, month)
);

-- How many deliveries arrived or were given up on a day of London, and how many
-- attempts failed that are tried again.
CREATE TABLE delivery_tallies (
    org_id     UUID   NOT NULL,
    day        TEXT   COLLATE "C" NOT NULL,
    outcome    TEXT   COLLATE "C" NOT NULL,
    deliveries BIGINT NOT NULL,
    PRIMARY KEY (org_id, day, outcome)
);

-- +goose StatementBegin
DO $$
DECLARE walled TEXT;
BEGIN
    FOREACH walled IN ARRAY ARRAY['filing_tallies', 'ledger_tallies', 'delivery_tallies']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format('CREATE POLICY own_rows ON %I USING (
            org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
            OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', walled);
    END LOOP;
END $$;
-- +goose StatementEnd

SELECT set_config('tidewaiter.org', '*', true);

INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'import_duty', (added::jsonb ->> 'clearedAt')::timestamptz, round((added::jsonb ->> 'totalDutyGbp')::numeric * 100)::bigint
FROM filings WHERE kind = 'declaration' AND status = 'CLEARED' AND body::jsonb ->> 'declarationType' = 'IMPORT'
AND added::jsonb ->> 'clearedAt' IS NOT NULL AND added::jsonb ->> 'totalDutyGbp' IS NOT NULL;

INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount)
SELECT org_id, id, 'cbam_emissions.' || (body::jsonb ->> 'category'), created_at,
    least(round(COALESCE(body::jsonb ->> 'embeddedEmissionsKgCo2', added::jsonb ->> 'embeddedEmissionsKgCo2')::numeric * 1000), 4e18)::bigint
FROM filings WHERE kind = 'cbam.import' AND COALESCE(body::jsonb ->> 'embeddedEmissionsKgCo2', added::jsonb ->> 'embeddedEmissionsKgCo2') IS NOT NULL;

INSERT INTO filing_tallies (org_id, kind, status, month, records)
SELECT org_id, kind, status, to_char(created_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*)
FROM filings GROUP BY 1, 2, 3, 4;

INSERT INTO ledger_tallies (org_id, ledger, month, records, amount)
SELECT org_id, ledger, to_char(posted_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*), sum(least(amount, 1000000000000000))::bigint
FROM postings GROUP BY 1, 2, 3;

INSERT INTO delivery_tallies (org_id, day, outcome, deliveries)
SELECT org_id, to_char(COALESCE(delivered_at, created_at) AT TIME ZONE 'Europe/London', 'YYYY-MM-DD'), status, count(*)
FROM deliveries WHERE status <> 'PENDING' GROUP BY 1, 2, 3;
