-- +goose Up
-- The version of a key, for ETag and If-Match. It rises with each rotation and with the revocation.
ALTER TABLE api_keys ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
