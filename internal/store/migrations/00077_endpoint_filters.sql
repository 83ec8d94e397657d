-- +goose Up
-- Which events an endpoint gets among those that it subscribes to, in JSON; null for all.
ALTER TABLE endpoints ADD COLUMN filter TEXT;
