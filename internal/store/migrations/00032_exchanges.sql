-- +goose Up
-- What an attempt sent and was answered, beside what was kept of it before: failed
-- attempts one a line, so that those which deliver at once cost nothing more.
ALTER TABLE deliveries ADD COLUMN attempted_at INSTANT;
ALTER TABLE deliveries ADD COLUMN answer_headers TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN failures TEXT NOT NULL DEFAULT '';
CREATE INDEX deliveries_failed ON deliveries (org_id, endpoint_id, created_at, id) WHERE status = 'FAILED';
CREATE INDEX deliveries_repeats ON deliveries (org_id, original_id) WHERE original_id IS NOT NULL;
