-- +goose Up
-- How often a job has failed by its own fault. What the store kept from being done, or
-- the death of a process, does not count.
ALTER TABLE jobs ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
