-- +goose Up
CREATE TABLE filings (
    org_id       UUID    NOT NULL REFERENCES organisations (org_id),
    id           UUID    NOT NULL,
    kind         TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    version      BIGINT  NOT NULL,
    body_version INTEGER NOT NULL,
    brief        TEXT,
    added        TEXT    NOT NULL,
    created_at   INSTANT NOT NULL,
    updated_at   INSTANT NOT NULL,
    body         TEXT    NOT NULL, -- last: lists read past a long one otherwise
    PRIMARY KEY (org_id, id)
);
CREATE INDEX filings_by_creation ON filings (org_id, kind, created_at, id);
CREATE INDEX filings_by_status ON filings (org_id, kind, status, created_at, id);

-- What makes a filing findable and its value unique in its organisation: LRN, MRN, ARC …
CREATE TABLE filing_keys (
    org_id    UUID NOT NULL,
    name      TEXT NOT NULL,
    value     TEXT NOT NULL,
    filing_id UUID NOT NULL,
    PRIMARY KEY (org_id, name, value),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);

CREATE TABLE events (
    org_id        UUID    NOT NULL REFERENCES organisations (org_id),
    sequence      BIGINT  NOT NULL,
    id            UUID    NOT NULL,
    occurred_at   INSTANT NOT NULL,
    hub           TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    resource_type TEXT    NOT NULL,
    resource_id   TEXT    NOT NULL,
    from_status   TEXT    NOT NULL,
    to_status     TEXT    NOT NULL,
    actor_user_id TEXT    NOT NULL,
    actor_type    TEXT    NOT NULL,
    key_id        TEXT    NOT NULL,
    request_id    TEXT    NOT NULL,
    ip_address    TEXT    NOT NULL,
    data          TEXT    NOT NULL,
    hash          TEXT    NOT NULL,
    previous_hash TEXT    NOT NULL,
    PRIMARY KEY (org_id, sequence)
);
CREATE INDEX events_by_resource ON events (org_id, resource_id, sequence);

CREATE TABLE jobs (
    org_id  UUID    NOT NULL,
    id      UUID    NOT NULL,
    queue   TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    run_at  INSTANT NOT NULL,
    attempt BIGINT  NOT NULL,
    state   TEXT    NOT NULL CHECK (state IN ('due', 'dead')),
    problem TEXT    NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX jobs_due ON jobs (queue, state, run_at);

-- First answers to calls that carried an Idempotency-Key.
CREATE TABLE answers (
    org_id     UUID    NOT NULL,
    key        TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    status     INTEGER NOT NULL,
    body       TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, key)
);
CREATE INDEX answers_by_age ON answers (created_at);
