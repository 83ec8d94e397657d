-- +goose Up
-- What the installation knows of itself, kept under the operator's id.
CREATE TABLE installation (
    org_id UUID NOT NULL,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (org_id, name)
);
