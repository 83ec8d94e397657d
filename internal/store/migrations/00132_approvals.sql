-- +goose Up
-- The approval of what would be submitted of a record, or the request for it; one for each record. The detail is JSON.
CREATE TABLE approvals (
    org_id    UUID    NOT NULL REFERENCES organisations (org_id),
    record_id UUID    NOT NULL,
    kind      TEXT    NOT NULL,
    waiting   BOOLEAN NOT NULL,
    since     INSTANT NOT NULL,
    detail    TEXT    NOT NULL,
    PRIMARY KEY (org_id, record_id)
);
CREATE INDEX approvals_by_state ON approvals (org_id, waiting, kind, since, record_id);
