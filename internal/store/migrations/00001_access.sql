-- +goose Up
CREATE TABLE organisations (
    org_id     UUID    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    profile    TEXT    NOT NULL,
    hubs       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    updated_at INSTANT NOT NULL
);

-- A user belongs to the operator, since one may work for several organisations.
CREATE TABLE users (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    name       TEXT    NOT NULL,
    email      TEXT,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);

CREATE TABLE memberships (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    user_id    UUID    NOT NULL,
    role       TEXT    NOT NULL CHECK (role IN ('OWNER', 'MEMBER', 'VIEWER')),
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, user_id)
);

CREATE TABLE api_keys (
    org_id       UUID    NOT NULL,
    id           UUID    NOT NULL,
    user_id      UUID    NOT NULL,
    name         TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('OWNER', 'MEMBER', 'VIEWER')),
    hash         TEXT    NOT NULL,
    hint         TEXT    NOT NULL,
    created_at   INSTANT NOT NULL,
    expires_at   INSTANT,
    revoked_at   INSTANT,
    last_used_at INSTANT,
    last_used_ip TEXT,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);
