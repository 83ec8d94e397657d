-- +goose Up
-- Records of an organisation that is being deleted which a kept record refers to. The deletion
-- removes its marks at its end.
CREATE TABLE deletion_marks (
    org_id    UUID NOT NULL REFERENCES organisations (org_id),
    record_id UUID NOT NULL,
    PRIMARY KEY (org_id, record_id)
);
