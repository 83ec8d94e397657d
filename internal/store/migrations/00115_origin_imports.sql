-- +goose Up
-- Imports of rules of origin, kept under the operator's id: the published documents that each added or replaced, compressed.
-- What is held at a version is what all imports up to it hold, from the last one that replaced everything.
CREATE TABLE origin_imports (
    org_id      UUID    NOT NULL,
    version     BIGINT  NOT NULL,
    replaces    BOOLEAN NOT NULL,
    packed      BYTES   NOT NULL,
    imported_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, version)
);
