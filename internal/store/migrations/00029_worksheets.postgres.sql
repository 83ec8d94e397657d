-- +goose Up
-- Declarations that somebody is still filling in, each its author's own.
CREATE TABLE worksheets (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    user_id    UUID    NOT NULL,
    id         UUID    NOT NULL,
    purpose    TEXT    NOT NULL CHECK (purpose IN ('new', 'correction')),
    title      TEXT    NOT NULL,
    body       BYTES   NOT NULL,
    updated_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, user_id, id)
);
ALTER TABLE worksheets ENABLE ROW LEVEL SECURITY;
ALTER TABLE worksheets FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON worksheets USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
