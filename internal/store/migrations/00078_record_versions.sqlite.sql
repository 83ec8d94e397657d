-- +goose Up
-- Records as they were before a change, so that events can be listed with the record that they report. A body that is
-- null is that of the next version that has one, or of the record itself.
CREATE TABLE record_versions (
    org_id      TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    version     BIGINT NOT NULL,
    status      TEXT NOT NULL,
    added       TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    replaced_at TEXT NOT NULL,
    body        TEXT,
    PRIMARY KEY (org_id, resource_id, version)
);
CREATE INDEX record_versions_by_age ON record_versions (replaced_at, version);
