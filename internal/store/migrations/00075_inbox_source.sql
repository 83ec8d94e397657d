-- +goose Up
-- With whose credentials a message from customs came: hmrc or simulator. Null for messages that an earlier release
-- received, which had one source.
ALTER TABLE inbox ADD COLUMN source TEXT;
