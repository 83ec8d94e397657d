-- +goose Up
-- One attempt to tell customs something: the exact bytes, and what became of them.
CREATE TABLE transmissions (
    org_id          UUID    NOT NULL,
    id              UUID    NOT NULL,
    filing_id       UUID    NOT NULL,
    purpose         TEXT    NOT NULL CHECK (purpose IN ('submit', 'cancel')),
    reference       TEXT    NOT NULL,
    lrn             TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('pending', 'sent', 'refused', 'unknown')),
    body            TEXT    NOT NULL,
    conversation_id TEXT,
    problem         TEXT    NOT NULL,
    request         TEXT    NOT NULL,
    created_at      INSTANT NOT NULL,
    settled_at      INSTANT,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
CREATE INDEX transmissions_by_filing ON transmissions (org_id, filing_id, created_at);
CREATE UNIQUE INDEX transmissions_by_conversation ON transmissions (conversation_id);
CREATE INDEX transmissions_by_reference ON transmissions (reference);

-- Every message from customs, raw, before anybody has looked inside: the operator's.
CREATE TABLE inbox (
    org_id          UUID    NOT NULL,
    id              UUID    NOT NULL,
    conversation_id TEXT    NOT NULL,
    digest          TEXT    NOT NULL,
    headers         TEXT    NOT NULL,
    body            BYTES   NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('received', 'applied', 'unmatched', 'unreadable')),
    problem         TEXT    NOT NULL,
    received_at     INSTANT NOT NULL,
    settled_at      INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX inbox_by_state ON inbox (org_id, state, received_at);

-- What customs said of a declaration, once each.
CREATE TABLE messages (
    org_id          UUID    NOT NULL,
    id              UUID    NOT NULL,
    filing_id       UUID    NOT NULL,
    conversation_id TEXT    NOT NULL,
    message_id      TEXT    NOT NULL,
    purpose         TEXT    NOT NULL,
    lrn             TEXT    NOT NULL,
    function_code   TEXT    NOT NULL,
    issued_at       INSTANT,
    received_at     INSTANT NOT NULL,
    content         TEXT    NOT NULL,
    inbox_id        UUID    NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, filing_id) REFERENCES filings (org_id, id)
);
CREATE UNIQUE INDEX messages_once ON messages (org_id, conversation_id, message_id);
CREATE INDEX messages_by_filing ON messages (org_id, filing_id, received_at);
