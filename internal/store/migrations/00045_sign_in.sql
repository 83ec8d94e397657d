-- +goose Up
-- What belongs to signing in. All rows are the operator's, since an account belongs to a
-- person and not to an organisation. Of tokens and codes only hashes are kept; secrets of
-- authenticator apps are sealed with the master key.

-- Browsers in which somebody has signed in to an account before.
CREATE TABLE known_browsers (
    org_id     UUID    NOT NULL,
    hash       TEXT    NOT NULL,
    user_id    UUID    NOT NULL,
    created_at INSTANT NOT NULL,
    seen_at    INSTANT NOT NULL,
    PRIMARY KEY (org_id, hash, user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE INDEX known_browsers_by_user ON known_browsers (org_id, user_id);

-- Steps of a sign-in or of a set-up that wait for their next request.
CREATE TABLE sign_in_steps (
    org_id     UUID    NOT NULL,
    hash       TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    user_id    UUID    NULL,
    data       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    expires_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, hash)
);

CREATE TABLE passkeys (
    org_id        UUID    NOT NULL,
    id            UUID    NOT NULL,
    user_id       UUID    NOT NULL,
    name          TEXT    NOT NULL,
    credential_id TEXT    NOT NULL,
    credential    TEXT    NOT NULL,
    created_at    INSTANT NOT NULL,
    last_used_at  INSTANT,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (org_id, credential_id);
CREATE INDEX passkeys_by_user ON passkeys (org_id, user_id);

CREATE TABLE totp_factors (
    org_id       UUID    NOT NULL,
    id           UUID    NOT NULL,
    user_id      UUID    NOT NULL,
    name         TEXT    NOT NULL,
    secret       TEXT    NOT NULL,
    last_step    BIGINT  NOT NULL,
    created_at   INSTANT NOT NULL,
    last_used_at INSTANT,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
CREATE INDEX totp_factors_by_user ON totp_factors (org_id, user_id);

CREATE TABLE recovery_codes (
    org_id     UUID    NOT NULL,
    user_id    UUID    NOT NULL,
    hash       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    used_at    INSTANT,
    PRIMARY KEY (org_id, user_id, hash),
    FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id)
);
