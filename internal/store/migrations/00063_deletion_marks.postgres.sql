-- +goose Up
-- Records of an organisation that is being deleted which a kept record refers to. The deletion
-- removes its marks at its end.
CREATE TABLE deletion_marks (
    org_id    UUID NOT NULL REFERENCES organisations (org_id),
    record_id UUID NOT NULL,
    PRIMARY KEY (org_id, record_id)
);

ALTER TABLE deletion_marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE deletion_marks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON deletion_marks USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
