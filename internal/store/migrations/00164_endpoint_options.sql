-- +goose Up
-- How a receiver wants to be called: its headers and its schedule, in JSON; a client certificate and a grant for access tokens, each
-- sealed. Null for none.
ALTER TABLE endpoints ADD COLUMN options TEXT;
ALTER TABLE endpoints ADD COLUMN mtls TEXT;
ALTER TABLE endpoints ADD COLUMN oauth TEXT;
