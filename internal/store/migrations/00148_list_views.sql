-- +goose Up
-- Filters, order and columns of the list of a kind under a name, of one member or of the whole organisation. The release before
-- keeps those of declarations in saved_views, which nothing reads any more.
CREATE TABLE list_views (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    user_id    UUID    NOT NULL,
    kind       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    query      TEXT    NOT NULL,
    shared     BOOLEAN NOT NULL,
    place      BIGINT  NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);
CREATE UNIQUE INDEX list_views_by_user ON list_views (org_id, kind, user_id, name);
