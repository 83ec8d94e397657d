-- +goose Up
-- The version of an organisation, for ETag and If-Match. One that exists may have changed: only one that is made from now on begins
-- with version 1. Each of the tables that requests join is altered in a transaction of its own: one with two of them could
-- deadlock with a request.
ALTER TABLE organisations ADD COLUMN version BIGINT NOT NULL DEFAULT 2;
