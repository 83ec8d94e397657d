-- +goose Up
-- The search over all records no longer has the parts of UUIDs as words. Its index follows from filings and events, and is made again.
DELETE FROM record_search_blocks;
DELETE FROM record_search_heads;
