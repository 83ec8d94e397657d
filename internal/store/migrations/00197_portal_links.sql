-- +goose Up
-- Links that open the webhook portal without a session. endpoint_ids is a JSON array, empty for all endpoints. A row is deleted
-- when its link is revoked, and some time after it has ended.
CREATE TABLE portal_links (
    org_id       UUID    NOT NULL REFERENCES organisations (org_id),
    id           UUID    NOT NULL,
    hash         TEXT    NOT NULL,
    endpoint_ids TEXT    NOT NULL,
    read_only    BOOLEAN NOT NULL,
    created_by   UUID    NOT NULL,
    created_at   INSTANT NOT NULL,
    expires_at   INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
