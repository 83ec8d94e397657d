-- +goose Up
-- First answers to calls with an Idempotency-Key, kept for the caller: the API key, or
-- the user where there is none. The table answers, which names no caller, is read until
-- its rows have expired.
CREATE TABLE idempotency_records (
    org_id     UUID    NOT NULL,
    caller     TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    status     INTEGER NOT NULL,
    body       TEXT    NOT NULL,
    expires_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, caller, key)
);
CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at);
