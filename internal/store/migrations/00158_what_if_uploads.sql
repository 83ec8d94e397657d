-- +goose Up
-- Tables of lines that were uploaded for what-ifs, as compressed JSON.
CREATE TABLE what_if_uploads (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    id         UUID    NOT NULL,
    lines      BIGINT  NOT NULL,
    content    BYTES   NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX what_if_uploads_by_creation ON what_if_uploads (created_at);
