-- +goose Up
-- Complete exports that an OWNER has asked for. The archive itself is made while it is fetched.
CREATE TABLE organisation_exports (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    id          UUID    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    total       BIGINT  NOT NULL,
    done        BIGINT  NOT NULL,
    failed      BIGINT  NOT NULL,
    created_at  INSTANT NOT NULL,
    finished_at INSTANT,
    PRIMARY KEY (org_id, id)
);
