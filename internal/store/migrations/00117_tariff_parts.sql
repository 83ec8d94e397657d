-- +goose Up
-- Pieces of the tariff, such as the recorded answer for one commodity code, kept under the operator's id. A version of the
-- tariff has of each piece the newest that is not newer than itself; without content the piece has ended.
CREATE TABLE tariff_parts (
    org_id  UUID   NOT NULL,
    name    TEXT   NOT NULL,
    version BIGINT NOT NULL,
    packed  BYTES  NULL,
    PRIMARY KEY (org_id, name, version)
);
