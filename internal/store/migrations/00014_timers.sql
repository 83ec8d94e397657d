-- +goose Up
-- The step that time takes with a filing as it stands; replaced with every change of it.
CREATE TABLE timers (
    org_id    UUID    NOT NULL,
    filing_id UUID    NOT NULL,
    kind      TEXT    NOT NULL,
    action    TEXT    NOT NULL,
    run_after INSTANT NOT NULL,
    PRIMARY KEY (org_id, filing_id),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
CREATE INDEX timers_by_instant ON timers (run_after, org_id, filing_id);
