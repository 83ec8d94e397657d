-- +goose Up
-- A message from customs whose body came before under another conversation is kept, and
-- names that one; it is not applied.
ALTER TABLE inbox ADD COLUMN replay_of UUID NULL;
CREATE INDEX inbox_by_digest ON inbox (org_id, digest, received_at, id);
