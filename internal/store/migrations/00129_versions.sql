-- +goose Up
-- Versions of organisations and webhook endpoints, for ETag and If-Match. An organisation that exists may have changed: only one
-- that is made from now on begins with version 1.
ALTER TABLE organisations ADD COLUMN version BIGINT NOT NULL DEFAULT 2;
ALTER TABLE endpoints ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- When a member who had left joined again. Of those who are there already, that is not known.
ALTER TABLE memberships ADD COLUMN rejoined_at INSTANT;
UPDATE memberships SET rejoined_at = created_at;
