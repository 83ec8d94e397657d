-- +goose Up
-- Batches of API calls. A row is one call; its status is null until it ran, and its operation is
-- emptied then. The attempt is the fencing token of the job that runs the batch.
CREATE TABLE batches (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    id          UUID    NOT NULL,
    kind        TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    total       BIGINT  NOT NULL,
    done        BIGINT  NOT NULL,
    failed      BIGINT  NOT NULL,
    sender      TEXT    NOT NULL,
    attempt     BIGINT  NOT NULL,
    created_at  INSTANT NOT NULL,
    finished_at INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX batches_by_status ON batches (org_id, status);
CREATE INDEX batches_by_end ON batches (finished_at);

CREATE TABLE batch_rows (
    org_id    UUID    NOT NULL,
    batch_id  UUID    NOT NULL,
    position  BIGINT  NOT NULL,
    reference TEXT    NOT NULL,
    operation TEXT    NOT NULL,
    waits_for TEXT    NOT NULL,
    status    INTEGER,
    record_id TEXT    NOT NULL,
    answer    TEXT    NOT NULL,
    PRIMARY KEY (org_id, batch_id, position),
    FOREIGN KEY (org_id, batch_id) REFERENCES batches (org_id, id)
);
