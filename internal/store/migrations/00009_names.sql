-- +goose Up
-- What a record goes by, written alike however it was typed: findable, not unique.
CREATE TABLE filing_names (
    org_id    UUID NOT NULL,
    name      TEXT NOT NULL,
    value     TEXT NOT NULL,
    filing_id UUID NOT NULL,
    PRIMARY KEY (org_id, name, value, filing_id),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
