-- +goose Up
CREATE TABLE endpoints (
    org_id        UUID    NOT NULL REFERENCES organisations (org_id),
    id            UUID    NOT NULL,
    url           TEXT    NOT NULL,
    description   TEXT,
    events        TEXT    NOT NULL,
    active        BOOLEAN NOT NULL,
    paused_reason TEXT    NOT NULL,
    secret        TEXT    NOT NULL,
    secret_hint   TEXT    NOT NULL,
    former_secret TEXT    NOT NULL,
    former_until  INSTANT,
    failing_since INSTANT,
    holder        UUID,
    held_until    INSTANT,
    created_at    INSTANT NOT NULL,
    updated_at    INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- What is delivered: one body for all endpoints that get it.
CREATE TABLE notices (
    org_id      UUID    NOT NULL,
    id          TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    resource_id TEXT    NOT NULL,
    created_at  INSTANT NOT NULL,
    body        TEXT    NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- One notice on its way to one endpoint. The row is its own job: an instance that
-- holds the endpoint sends what is due of it.
CREATE TABLE deliveries (
    org_id       UUID    NOT NULL,
    id           UUID    NOT NULL,
    endpoint_id  UUID    NOT NULL,
    notice_id    TEXT    NOT NULL,
    event_type   TEXT    NOT NULL,
    resource_id  TEXT    NOT NULL,
    sequence     BIGINT  NOT NULL,
    cause        TEXT    NOT NULL CHECK (cause IN ('event', 'test', 'resend')),
    original_id  UUID,
    status       TEXT    NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
    attempts     INTEGER NOT NULL,
    due_at       INSTANT NOT NULL,
    http_status  INTEGER NOT NULL,
    duration_ms  BIGINT  NOT NULL,
    error        TEXT    NOT NULL,
    response     TEXT    NOT NULL,
    created_at   INSTANT NOT NULL,
    delivered_at INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX deliveries_log ON deliveries (org_id, endpoint_id, created_at, id);
CREATE INDEX deliveries_due ON deliveries (org_id, endpoint_id, due_at, sequence, id) WHERE status = 'PENDING';
CREATE INDEX deliveries_failing ON deliveries (org_id, endpoint_id, resource_id, sequence) WHERE status = 'PENDING' AND attempts > 0;
