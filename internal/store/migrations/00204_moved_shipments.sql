-- +goose Up
-- The declarations of a shipment that has changed are indexed again in steps: the sequence before the event of that change, and the
-- last declaration that was indexed for it.
ALTER TABLE search_heads ADD COLUMN moved_sequence BIGINT;
ALTER TABLE search_heads ADD COLUMN moved_created INSTANT;
ALTER TABLE search_heads ADD COLUMN moved_id UUID;
ALTER TABLE record_search_heads ADD COLUMN moved_sequence BIGINT;
ALTER TABLE record_search_heads ADD COLUMN moved_created INSTANT;
ALTER TABLE record_search_heads ADD COLUMN moved_id UUID;
