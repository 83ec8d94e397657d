-- +goose Up
-- Records as they were before a change, so that events can be listed with the record that they report. A body that is
-- null is that of the next version that has one, or of the record itself.
CREATE TABLE record_versions (
    org_id      UUID NOT NULL,
    resource_id TEXT NOT NULL,
    version     BIGINT NOT NULL,
    status      TEXT NOT NULL,
    added       TEXT NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    replaced_at timestamptz NOT NULL,
    body        TEXT,
    PRIMARY KEY (org_id, resource_id, version)
);
CREATE INDEX record_versions_by_age ON record_versions (replaced_at, version);

ALTER TABLE record_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE record_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON record_versions USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
