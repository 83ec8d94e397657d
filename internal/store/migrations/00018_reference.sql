-- +goose Up
-- Tables that others publish, kept under the operator's id: one row for each, its rows compressed.
CREATE TABLE reference_tables (
    org_id      UUID    NOT NULL,
    kind        TEXT    NOT NULL,
    version     BIGINT  NOT NULL,
    dated       TEXT    NOT NULL,
    publisher   TEXT    NOT NULL,
    row_count   BIGINT  NOT NULL,
    packed      BYTES   NOT NULL,
    imported_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, kind)
);
