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
