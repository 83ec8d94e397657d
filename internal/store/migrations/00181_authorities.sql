-- +goose Up
-- Messages to and from authorities besides customs and VAT, each as it is. Without a filing_id it is about no known record. The
-- external_id is the authority's own of a message that it sent. There is no reference to filings, so that releases before this
-- one can go on deleting those; retention deletes what they leave.
CREATE TABLE authority_messages (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    id          UUID    NOT NULL,
    filing_id   UUID,
    authority   TEXT    NOT NULL,
    mode        TEXT    NOT NULL,
    direction   TEXT    NOT NULL CHECK (direction IN ('out', 'in')),
    identifier  TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    purpose     TEXT    NOT NULL,
    external_id TEXT,
    correlation TEXT    NOT NULL,
    media_type  TEXT    NOT NULL,
    body        BYTES   NOT NULL,
    state       TEXT    NOT NULL,
    attempts    BIGINT  NOT NULL,
    repeated    BIGINT  NOT NULL,
    problem     TEXT    NOT NULL,
    request     TEXT    NOT NULL,
    change      TEXT    NOT NULL,
    receipt     TEXT    NOT NULL,
    sent_at     INSTANT NOT NULL,
    created_at  INSTANT NOT NULL,
    settled_at  INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX authority_messages_by_filing ON authority_messages (org_id, filing_id, created_at, id);
CREATE UNIQUE INDEX authority_messages_by_external_id ON authority_messages (org_id, authority, mode, identifier, external_id);
CREATE INDEX authority_messages_unclaimed ON authority_messages (org_id, created_at, id) WHERE filing_id IS NULL;
CREATE INDEX authority_messages_waiting ON authority_messages (org_id, authority, created_at, id) WHERE state IN ('pending', 'unknown');

-- Names by which messages find their record: LRN, MRN, ARC, GMR, correlation ids.
CREATE TABLE authority_names (
    org_id    UUID    NOT NULL REFERENCES organisations (org_id),
    authority TEXT    NOT NULL,
    mode      TEXT    NOT NULL,
    name      TEXT    NOT NULL,
    filing_id UUID    NOT NULL,
    added_at  INSTANT NOT NULL,
    PRIMARY KEY (org_id, authority, mode, name, filing_id)
);
CREATE INDEX authority_names_by_filing ON authority_names (org_id, filing_id);

-- Records that an authority has or gets, and when it is asked about each; null if nothing is outstanding.
CREATE TABLE authority_records (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    filing_id  UUID    NOT NULL,
    authority  TEXT    NOT NULL,
    mode       TEXT    NOT NULL,
    identifier TEXT    NOT NULL,
    next_at    INSTANT,
    PRIMARY KEY (org_id, filing_id)
);
CREATE INDEX authority_records_due ON authority_records (org_id, authority, mode, identifier, next_at);

-- How far the messages of an identifier are fetched.
CREATE TABLE authority_polls (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    authority  TEXT    NOT NULL,
    mode       TEXT    NOT NULL,
    identifier TEXT    NOT NULL,
    id         UUID    NOT NULL,
    position   TEXT    NOT NULL,
    problem    TEXT    NOT NULL,
    polled_at  INSTANT,
    PRIMARY KEY (org_id, authority, mode, identifier)
);
CREATE INDEX authority_polls_by_id ON authority_polls (org_id, id);
