-- +goose Up
-- The metadata of records, for lists that are filtered by it.
CREATE TABLE filing_terms (
    org_id     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    filing_id  TEXT NOT NULL,
    PRIMARY KEY (org_id, kind, name, value, created_at, filing_id)
) WITHOUT ROWID;
CREATE INDEX filing_terms_by_filing ON filing_terms (org_id, filing_id);

-- The index of the search over records of all kinds: words packed some hundred records to a block, and
-- its progress. It follows from filings and events.
CREATE TABLE record_search_blocks (
    org_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    oldest TEXT NOT NULL,
    newest TEXT NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (org_id, number)
);
CREATE INDEX record_search_blocks_by_newest ON record_search_blocks (org_id, newest);

CREATE TABLE record_search_heads (
    org_id          TEXT NOT NULL,
    turn            BIGINT  NOT NULL,
    sequence        BIGINT  NOT NULL,
    blocks          BIGINT  NOT NULL,
    begun           BOOLEAN NOT NULL,
    through_created TEXT,
    through_id      TEXT,
    PRIMARY KEY (org_id)
);
