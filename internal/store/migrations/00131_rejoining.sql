-- +goose Up
-- When a member who had left joined again. Of those who are there already, that is not known.
ALTER TABLE memberships ADD COLUMN rejoined_at INSTANT;
UPDATE memberships SET rejoined_at = created_at;
