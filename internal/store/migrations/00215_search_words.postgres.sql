-- +goose Up
-- The search over all records no longer has the parts of UUIDs as words. Its index follows from filings and events, and is made again.
TRUNCATE record_search_blocks, record_search_heads;
