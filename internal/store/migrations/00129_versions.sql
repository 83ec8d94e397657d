-- +goose Up
-- Versions of organisations and webhook endpoints, for ETag and If-Match.
ALTER TABLE organisations ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE endpoints ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
