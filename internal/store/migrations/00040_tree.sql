-- +goose Up
-- The Merkle tree over each organisation's events: rows of 256 hashes, written behind
-- the head and never changed. They stay when the events go.
CREATE TABLE audit_tiles (
    org_id UUID    NOT NULL REFERENCES organisations (org_id),
    level  INTEGER NOT NULL,
    number BIGINT  NOT NULL,
    root   BYTES   NOT NULL,
    hashes BYTES   NOT NULL, -- last: roots are read past them otherwise
    PRIMARY KEY (org_id, level, number)
);
