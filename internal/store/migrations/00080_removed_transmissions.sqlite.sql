-- +goose Up
-- References of submissions whose records a test organisation has deleted, so that messages of the simulator that come
-- later are not taken for unknown ones. They are conversation IDs and LRNs, and are kept for a short time.
CREATE TABLE removed_transmissions (
    org_id     UUID NOT NULL,
    reference  TEXT NOT NULL,
    removed_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, reference)
);
CREATE INDEX removed_transmissions_by_reference ON removed_transmissions (reference);
CREATE INDEX removed_transmissions_by_age ON removed_transmissions (removed_at);
