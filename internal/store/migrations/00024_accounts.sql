-- +goose Up
-- How people come in. Users, their sessions and the links made for them belong to
-- the operator, since a user may work for several organisations; of tokens only
-- hashes are kept.
ALTER TABLE users ADD COLUMN password TEXT;
ALTER TABLE users ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX users_by_email ON users (org_id, email);
CREATE UNIQUE INDEX users_by_subject ON users (org_id, subject);

-- Who has left keeps a row, for the keys that hang on it.
ALTER TABLE memberships ADD COLUMN left_at INSTANT;
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE sessions (
    org_id       UUID    NOT NULL,
    id           UUID    NOT NULL,
    user_id      UUID    NOT NULL,
    hash         TEXT    NOT NULL,
    organisation UUID    NULL,
    created_at   INSTANT NOT NULL,
    seen_at      INSTANT NOT NULL,
    expires_at   INSTANT NOT NULL,
    ip_address   TEXT    NOT NULL,
    user_agent   TEXT    NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX sessions_by_hash ON sessions (org_id, hash);
CREATE INDEX sessions_by_user ON sessions (org_id, user_id);

CREATE TABLE links (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('setup', 'reset')),
    user_id    UUID    NULL,
    hash       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    expires_at INSTANT NOT NULL,
    used_at    INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX links_by_hash ON links (org_id, hash);

CREATE TABLE invitations (
    org_id       UUID    NOT NULL REFERENCES organisations (org_id),
    id           UUID    NOT NULL,
    email        TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('OWNER', 'MEMBER', 'VIEWER')),
    hash         TEXT    NOT NULL,
    invited_by   UUID    NOT NULL,
    created_at   INSTANT NOT NULL,
    expires_at   INSTANT NOT NULL,
    used_at      INSTANT,
    withdrawn_at INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX invitations_by_hash ON invitations (hash);
