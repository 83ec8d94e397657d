-- +goose Up
-- A consent at an authority that was begun: one for each user and authority, found by the hash of its link (begun with
-- an API key, not opened yet) or of its state (at the authority).
CREATE TABLE consent_requests (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    authority  TEXT    NOT NULL,
    user_id    UUID    NOT NULL,
    identifier TEXT    NOT NULL,
    key_id     UUID    NOT NULL,
    session_id TEXT    NOT NULL,
    link_hash  TEXT    NOT NULL,
    state_hash TEXT    NOT NULL,
    verifier   TEXT    NOT NULL,
    context    TEXT    NOT NULL,
    expires_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, authority, user_id)
);

-- The sealed token of a consent. The holder is the one process that refreshes it.
CREATE TABLE consent_tokens (
    org_id            UUID    NOT NULL REFERENCES organisations (org_id),
    authority         TEXT    NOT NULL,
    identifier        TEXT    NOT NULL,
    id                UUID    NOT NULL,
    token             TEXT    NOT NULL,
    holder            TEXT    NOT NULL,
    held_until        INSTANT NOT NULL,
    access_expires_at INSTANT,
    refreshed_at      INSTANT,
    problem           TEXT    NOT NULL,
    PRIMARY KEY (org_id, authority, identifier)
);
