-- +goose Up
-- What declarations are found by, packed some hundred to a block, and how far an
-- organisation's index has come. All of it can be made anew from filings and events.
CREATE TABLE search_blocks (
    org_id UUID    NOT NULL REFERENCES organisations (org_id),
    number BIGINT  NOT NULL,
    oldest INSTANT NOT NULL,
    newest INSTANT NOT NULL,
    packed BYTES   NOT NULL,
    PRIMARY KEY (org_id, number)
);
CREATE INDEX search_blocks_by_newest ON search_blocks (org_id, newest);

CREATE TABLE search_heads (
    org_id          UUID    NOT NULL REFERENCES organisations (org_id),
    turn            BIGINT  NOT NULL,
    sequence        BIGINT  NOT NULL,
    blocks          BIGINT  NOT NULL,
    begun           BOOLEAN NOT NULL,
    through_created INSTANT,
    through_id      UUID,
    PRIMARY KEY (org_id)
);

-- Questions that a user keeps: the query of an address, under a name.
CREATE TABLE saved_views (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    user_id    UUID    NOT NULL,
    name       TEXT    NOT NULL,
    query      TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);
CREATE UNIQUE INDEX saved_views_by_user ON saved_views (org_id, user_id, name);
