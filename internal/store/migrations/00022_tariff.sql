-- +goose Up
-- Versions of the tariff that others publish, kept under the operator's id: which tables each has, and which is in force.
CREATE TABLE tariff_versions (
    org_id      UUID    NOT NULL,
    version     BIGINT  NOT NULL,
    as_of       TEXT    NOT NULL,
    tables      TEXT    NOT NULL,
    imported_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, version)
);
-- Which of them counts since when; none where the version is 0.
CREATE TABLE tariff_in_force (
    org_id   UUID    NOT NULL PRIMARY KEY,
    version  BIGINT  NOT NULL,
    since    INSTANT NOT NULL
);
-- The rows of a table, compressed, by the version with which they came. Later versions may have them too.
CREATE TABLE tariff_tables (
    org_id  UUID   NOT NULL,
    version BIGINT NOT NULL,
    kind    TEXT   NOT NULL,
    packed  BYTES  NOT NULL,
    PRIMARY KEY (org_id, version, kind)
);
