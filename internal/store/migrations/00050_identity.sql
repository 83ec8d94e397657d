-- +goose Up
-- An organisation's identity provider (OpenID Connect). The settings are JSON; the client secret is
-- sealed with the master key.
CREATE TABLE identity_providers (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    id         UUID    NOT NULL,
    settings   TEXT    NOT NULL,
    secret     TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    updated_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- A mail domain of an organisation. At most one organisation has a domain verified.
CREATE TABLE identity_domains (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    domain      TEXT    NOT NULL,
    token       TEXT    NOT NULL,
    method      TEXT    NOT NULL,
    created_at  INSTANT NOT NULL,
    verified_at INSTANT,
    checked_at  INSTANT,
    PRIMARY KEY (org_id, domain)
);
CREATE UNIQUE INDEX identity_domains_verified ON identity_domains (domain) WHERE verified_at IS NOT NULL;

-- Which account a provider's subject is linked to.
CREATE TABLE identity_links (
    org_id      UUID    NOT NULL,
    provider_id UUID    NOT NULL,
    subject     TEXT    NOT NULL,
    user_id     UUID    NOT NULL,
    created_at  INSTANT NOT NULL,
    PRIMARY KEY (org_id, provider_id, subject)
);

-- The sealed refresh token of a session that a provider opened, and when it is used next.
CREATE TABLE identity_sessions (
    org_id      UUID    NOT NULL,
    session_id  UUID    NOT NULL,
    provider_id UUID    NOT NULL,
    user_id     UUID    NOT NULL,
    token       TEXT    NOT NULL,
    ends_at     INSTANT NOT NULL,
    refresh_at  INSTANT NOT NULL,
    PRIMARY KEY (org_id, session_id)
);
CREATE INDEX identity_sessions_due ON identity_sessions (refresh_at);
