-- +goose Up
-- The metadata of records, for lists that are filtered by it. Names and values sort by their bytes.
CREATE TABLE filing_terms (
    org_id     UUID        NOT NULL,
    kind       TEXT        COLLATE "C" NOT NULL,
    name       TEXT        COLLATE "C" NOT NULL,
    value      TEXT        COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    filing_id  UUID        NOT NULL,
    PRIMARY KEY (org_id, kind, name, value, created_at, filing_id)
);
CREATE INDEX filing_terms_by_filing ON filing_terms (org_id, filing_id);

-- The index of the search over records of all kinds: words packed some hundred records to a block, and
-- its progress. It follows from filings and events.
CREATE TABLE record_search_blocks (
    org_id UUID NOT NULL,
    number BIGINT NOT NULL,
    oldest timestamptz NOT NULL,
    newest timestamptz NOT NULL,
    packed bytea NOT NULL,
    PRIMARY KEY (org_id, number)
);
CREATE INDEX record_search_blocks_by_newest ON record_search_blocks (org_id, newest);

CREATE TABLE record_search_heads (
    org_id          UUID NOT NULL,
    turn            BIGINT  NOT NULL,
    sequence        BIGINT  NOT NULL,
    blocks          BIGINT  NOT NULL,
    begun           BOOLEAN NOT NULL,
    through_created timestamptz,
    through_id      UUID,
    PRIMARY KEY (org_id)
);
ALTER TABLE record_search_blocks ALTER COLUMN packed SET STORAGE EXTERNAL;

ALTER TABLE filing_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE filing_terms FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON filing_terms USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE record_search_blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_search_blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON record_search_blocks USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');

ALTER TABLE record_search_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_search_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON record_search_heads USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
