-- +goose Up
-- Inboxes of members. An item without a member is about a record without an assignee and is in every inbox: its cost does not
-- grow with the members. What a member has read of those is in inbox_reads, or before read_until of inbox_settings. The row of
-- inbox_settings without a member says when the last digest of the organisation was made.
CREATE TABLE inbox_items (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    id         UUID    NOT NULL,
    member_id  TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    record_id  UUID    NOT NULL,
    actor_id   TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    read_at    INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX inbox_items_by_member ON inbox_items (org_id, member_id, created_at, id);
CREATE INDEX inbox_items_unread ON inbox_items (org_id, member_id, created_at, id) WHERE read_at IS NULL;
CREATE INDEX inbox_items_by_record ON inbox_items (org_id, record_id);
CREATE INDEX inbox_items_by_age ON inbox_items (created_at);

CREATE TABLE inbox_reads (
    org_id    UUID    NOT NULL REFERENCES organisations (org_id),
    member_id TEXT    NOT NULL,
    item_id   UUID    NOT NULL,
    read_at   INSTANT NOT NULL,
    PRIMARY KEY (org_id, member_id, item_id)
);
CREATE INDEX inbox_reads_by_age ON inbox_reads (read_at);

CREATE TABLE inbox_settings (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    member_id   TEXT    NOT NULL,
    unassigned  BOOLEAN NOT NULL,
    digest      BOOLEAN NOT NULL,
    read_until  INSTANT NOT NULL,
    digested_at INSTANT,
    PRIMARY KEY (org_id, member_id)
);
