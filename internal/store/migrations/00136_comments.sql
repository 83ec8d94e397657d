-- +goose Up
-- What members write about records: filings of any kind. The text names members as @{id}, so that an erased person is named
-- nowhere. There is no reference to filings, so that releases before this one can go on deleting those.
CREATE TABLE comments (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    id          UUID    NOT NULL,
    kind        TEXT    NOT NULL,
    resource_id UUID    NOT NULL,
    author_id   UUID    NOT NULL,
    key_id      TEXT    NOT NULL,
    text        TEXT    NOT NULL,
    mentions    TEXT    NOT NULL,
    created_at  INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX comments_by_record ON comments (org_id, resource_id, created_at, id);
CREATE INDEX comments_by_creation ON comments (org_id, created_at, id);
CREATE INDEX comments_by_author ON comments (org_id, author_id, id);
