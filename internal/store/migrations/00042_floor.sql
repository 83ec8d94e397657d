-- +goose Up
-- The oldest schema whose programs work on this one. A migration that they do not bear
-- sets it to its own number.
CREATE TABLE schema_floor (
    oldest BIGINT NOT NULL
);
INSERT INTO schema_floor (oldest) VALUES (42);
