-- +goose Up
-- The primary key of names has all of their columns. Without row IDs they are one tree instead of two, so that a new record changes one
-- page less.
CREATE TABLE single_filing_names (
    org_id    TEXT NOT NULL,
    name      TEXT NOT NULL,
    value     TEXT NOT NULL,
    filing_id TEXT NOT NULL,
    PRIMARY KEY (org_id, name, value, filing_id),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
) WITHOUT ROWID;
INSERT INTO single_filing_names SELECT org_id, name, value, filing_id FROM filing_names ORDER BY org_id, name, value, filing_id;
DROP TABLE filing_names;
ALTER TABLE single_filing_names RENAME TO filing_names;
CREATE INDEX client_names ON filing_names (org_id, filing_id, value) WHERE name = 'client.name';
