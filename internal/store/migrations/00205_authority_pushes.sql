-- +goose Up
-- An authority has said that there are messages for an identifier; null if they were fetched since. The indexes find the organisations
-- that such a notification is about.
ALTER TABLE authority_polls ADD COLUMN wanted_at INSTANT;
CREATE INDEX authority_polls_by_identifier ON authority_polls (authority, mode, identifier);
CREATE INDEX authority_names_by_name ON authority_names (authority, mode, name);
CREATE INDEX consent_tokens_by_identifier ON consent_tokens (authority, identifier);
