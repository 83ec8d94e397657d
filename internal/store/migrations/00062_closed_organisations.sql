-- +goose Up
-- When an OWNER has closed the organisation, when its data will be deleted, what the deletion has
-- removed so far (JSON; null until it has begun), and when it was done.
ALTER TABLE organisations ADD COLUMN closed_at INSTANT;
ALTER TABLE organisations ADD COLUMN delete_after INSTANT;
ALTER TABLE organisations ADD COLUMN deletion TEXT;
ALTER TABLE organisations ADD COLUMN deleted_at INSTANT;
CREATE INDEX organisations_by_deletion ON organisations (delete_after);
