-- +goose Up
-- The version of the record in an answer, so that a repeated call gets the ETag of the first
-- one. It is null in rows of releases that sent no ETag.
ALTER TABLE idempotency_records ADD COLUMN version BIGINT;
