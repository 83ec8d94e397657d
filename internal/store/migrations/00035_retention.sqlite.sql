-- +goose Up
-- What must not be removed: a record, or with no record the whole organisation.
CREATE TABLE holds (
    org_id    UUID    NOT NULL,
    record_id TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    set_at    INSTANT NOT NULL,
    PRIMARY KEY (org_id, record_id)
);

-- Where a trail begins since its oldest events were removed: behind this one.
CREATE TABLE trail_cuts (
    org_id      UUID    NOT NULL,
    sequence    BIGINT  NOT NULL,
    hash        TEXT    NOT NULL,
    occurred_at INSTANT NOT NULL,
    cut_at      INSTANT NOT NULL,
    hashes      TEXT    NOT NULL DEFAULT '', -- of the events before the cut that are in no tile yet, one behind the other
    PRIMARY KEY (org_id)
);

-- Nobody deletes an event, but whoever removes what lies before the cut and is older
-- than the law lets anybody remove.
DROP TRIGGER events_are_never_deleted;
-- +goose StatementBegin
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
WHEN OLD.occurred_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-4 years')
OR NOT EXISTS (SELECT 1 FROM trail_cuts c WHERE c.org_id = OLD.org_id AND c.sequence >= OLD.sequence)
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
-- +goose StatementEnd
