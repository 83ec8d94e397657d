-- +goose Up
-- +goose StatementBegin
CREATE TRIGGER tiles_are_never_changed BEFORE UPDATE ON audit_tiles
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tiles_are_never_deleted BEFORE DELETE ON audit_tiles
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
-- +goose StatementEnd
