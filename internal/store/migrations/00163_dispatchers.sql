-- +goose Up
-- Instances that send webhooks, and until when each is alive. What a dead one leased is free at once. The release before does not
-- read it: there a lease ends by itself.
CREATE TABLE dispatchers (
    id          UUID    NOT NULL PRIMARY KEY,
    alive_until INSTANT NOT NULL
);
