-- +goose Up
-- Nobody deletes an event, but whoever removes what lies before the cut and is older
-- than the law lets anybody remove.
DROP TRIGGER events_are_never_deleted;
-- +goose StatementBegin
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
WHEN OLD.occurred_at >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-4 years')
OR NOT EXISTS (SELECT 1 FROM trail_cuts c WHERE c.org_id = OLD.org_id AND c.sequence >= OLD.sequence)
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
-- +goose StatementEnd
