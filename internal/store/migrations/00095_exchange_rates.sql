-- +goose Up
-- Imports of exchange rates, kept under the operator's id: the periods that each added or replaced, compressed. The rates of
-- a version are those of all imports up to it.
CREATE TABLE exchange_rate_imports (
    org_id      UUID    NOT NULL,
    version     BIGINT  NOT NULL,
    packed      BYTES   NOT NULL,
    imported_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, version)
);
