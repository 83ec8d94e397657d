-- +goose Up
-- A consent belongs to the browser session that began it (none if an API key did), and carries the
-- sealed verifier of PKCE.
ALTER TABLE mtd_consents ADD COLUMN session_id TEXT;
ALTER TABLE mtd_consents ADD COLUMN verifier TEXT;
