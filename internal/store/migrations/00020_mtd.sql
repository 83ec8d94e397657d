-- +goose Up
-- An organisation's connection to HMRC's Making Tax Digital. The token is sealed; the
-- turn is that of the one instance that refreshes it.
CREATE TABLE mtd_connections (
    org_id       UUID    NOT NULL REFERENCES organisations (org_id),
    id           UUID    NOT NULL,
    vrn          TEXT    NOT NULL,
    user_id      UUID    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('CONNECTED', 'LAPSED')),
    token        TEXT    NOT NULL,
    turn         TEXT    NOT NULL,
    turn_until   INSTANT NOT NULL,
    origin       TEXT    NOT NULL,
    obligations  TEXT    NOT NULL,
    problem      TEXT    NOT NULL,
    connected_at INSTANT NOT NULL,
    asked_at     INSTANT,
    PRIMARY KEY (org_id)
);

-- A consent that was begun: one for each user, found by the hash of its state.
CREATE TABLE mtd_consents (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    user_id    UUID    NOT NULL,
    key_id     UUID    NOT NULL,
    state_hash TEXT    NOT NULL,
    vrn        TEXT    NOT NULL,
    origin     TEXT    NOT NULL,
    expires_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, user_id)
);
CREATE UNIQUE INDEX mtd_consents_by_state ON mtd_consents (state_hash);

-- A return on its way to HMRC: the very figures, and what became of them. It outlives
-- a draft that is deleted after a refusal.
CREATE TABLE mtd_submissions (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    filing_id  UUID    NOT NULL,
    vrn        TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('pending', 'unknown', 'sent', 'refused')),
    tries      BIGINT  NOT NULL,
    body       TEXT    NOT NULL,
    receipt    TEXT    NOT NULL,
    problem    TEXT    NOT NULL,
    request    TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    settled_at INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX mtd_submissions_by_filing ON mtd_submissions (org_id, filing_id, created_at, id);
