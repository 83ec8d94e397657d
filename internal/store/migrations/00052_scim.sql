-- +goose Up
-- The SCIM token of an organisation, and which role each group gives (JSON). Only the token's hash
-- is kept.
CREATE TABLE scim_tokens (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    hash       TEXT    NOT NULL,
    hint       TEXT    NOT NULL,
    settings   TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id)
);
CREATE UNIQUE INDEX scim_tokens_by_hash ON scim_tokens (hash);

-- What SCIM knows about a member beyond the account: a row stays when the membership ends.
CREATE TABLE scim_users (
    org_id      UUID    NOT NULL,
    user_id     UUID    NOT NULL,
    user_name   TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    updated_at  INSTANT NOT NULL,
    PRIMARY KEY (org_id, user_id)
);

CREATE TABLE scim_groups (
    org_id       UUID    NOT NULL,
    id           UUID    NOT NULL,
    display_name TEXT    NOT NULL,
    external_id  TEXT    NOT NULL,
    members      TEXT    NOT NULL,
    created_at   INSTANT NOT NULL,
    updated_at   INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
