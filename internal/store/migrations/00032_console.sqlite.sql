-- +goose Up
-- What an attempt sent and was answered, beside what was kept of it before: failed
-- attempts one a line, so that those which deliver at once cost nothing more.
ALTER TABLE deliveries ADD COLUMN attempted_at INSTANT;
ALTER TABLE deliveries ADD COLUMN answer_headers TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN failures TEXT NOT NULL DEFAULT '';
CREATE INDEX deliveries_failed ON deliveries (org_id, endpoint_id, created_at, id) WHERE status = 'FAILED';
CREATE INDEX deliveries_repeats ON deliveries (org_id, original_id) WHERE original_id IS NOT NULL;

-- A table on its way in, between the steps of an import.
CREATE TABLE uploads (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    id         UUID    NOT NULL,
    name       TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('READ', 'CHECKED', 'RUNNING', 'FINISHED')),
    total      BIGINT  NOT NULL,
    headings   TEXT    NOT NULL,
    mapping    TEXT    NOT NULL,
    done       BIGINT  NOT NULL,
    created    BIGINT  NOT NULL,
    skipped    BIGINT  NOT NULL,
    failed     BIGINT  NOT NULL,
    sender     TEXT    NOT NULL,
    notes      TEXT    NOT NULL,
    file       BYTES NULL,
    created_at INSTANT NOT NULL,
    updated_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
