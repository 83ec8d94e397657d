-- +goose Up
-- The version of a webhook endpoint, for ETag and If-Match.
ALTER TABLE endpoints ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
