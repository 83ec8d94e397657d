-- +goose Up
-- The encrypted secrets of a record, such as the access codes of guarantees. The record is a filing, or the organisation.
CREATE TABLE record_secrets (
    org_id    UUID NOT NULL REFERENCES organisations (org_id),
    record_id UUID NOT NULL,
    sealed    TEXT NOT NULL,
    PRIMARY KEY (org_id, record_id)
);
