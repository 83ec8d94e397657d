-- +goose Up
-- What a key is limited to, as lists with spaces between; empty for no limit. A rotated
-- key's former secret works for a while. Keys that exist stay as they were.
ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN addresses TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN former_hash TEXT;
ALTER TABLE api_keys ADD COLUMN former_until INSTANT;
CREATE UNIQUE INDEX api_keys_by_former_hash ON api_keys (former_hash);
