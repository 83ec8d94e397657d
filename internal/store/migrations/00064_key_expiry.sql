-- +goose Up
-- When the OWNERs were mailed that a key expires soon; null if no mail was sent. The index
-- finds the keys of all organisations that expire within a span of time.
ALTER TABLE api_keys ADD COLUMN expiry_warned_at INSTANT;
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at);
