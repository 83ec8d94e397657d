-- +goose Up
-- What is due of a filing as it stands; replaced with every change of it.
CREATE TABLE deadlines (
    org_id     UUID    NOT NULL,
    filing_id  UUID    NOT NULL,
    name       TEXT    NOT NULL,
    hub        TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    due_at     INSTANT NOT NULL,
    whole_day  BOOLEAN NOT NULL,
    lapses     BOOLEAN NOT NULL,
    source     TEXT    NOT NULL,
    changed_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, filing_id, name),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
CREATE INDEX deadlines_by_day ON deadlines (org_id, due_at, filing_id, name);

-- The calendar feed of a user: one in each organisation, and of its token the hash alone.
CREATE TABLE feeds (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    user_id    UUID    NOT NULL,
    hash       TEXT    NOT NULL,
    hint       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);
CREATE UNIQUE INDEX feeds_by_hash ON feeds (hash);
