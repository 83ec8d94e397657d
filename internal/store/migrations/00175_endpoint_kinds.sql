-- +goose Up
-- What receives the events of an endpoint: webhook, or a kind of broker, queue or storage. For these, what the kind needs besides
-- the address, in JSON, and the credentials, sealed; null for none.
ALTER TABLE endpoints ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook';
ALTER TABLE endpoints ADD COLUMN config TEXT;
ALTER TABLE endpoints ADD COLUMN credentials TEXT;
