-- +goose Up
-- What a filing, as it stands, adds to a ledger; replaced with every change of it.
CREATE TABLE postings (
    org_id    UUID    NOT NULL,
    filing_id UUID    NOT NULL,
    ledger    TEXT    NOT NULL,
    posted_at INSTANT NOT NULL,
    amount    BIGINT  NOT NULL,
    PRIMARY KEY (org_id, filing_id, ledger),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
CREATE INDEX postings_by_instant ON postings (org_id, ledger, posted_at, amount);
