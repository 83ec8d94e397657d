-- +goose Up
-- What was told of an endpoint since it began to fail: the last share of the time after which it is paused, in per cent, and
-- whether a mail about a delivery that was given up was sent.
ALTER TABLE endpoints ADD COLUMN failing_share INTEGER NOT NULL DEFAULT 0;
ALTER TABLE endpoints ADD COLUMN mailed_given_up BOOLEAN NOT NULL DEFAULT FALSE;
