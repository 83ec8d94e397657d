-- +goose Up
-- Personal values stand beside the event, which holds a salted hash of each. They can be erased, one by one, and
-- nothing else of an event can be changed.
ALTER TABLE events ADD COLUMN personal TEXT NOT NULL DEFAULT '';

DROP TRIGGER events_are_never_changed;
-- +goose StatementBegin
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OF org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id,
    from_status, to_status, actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash ON events
BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_are_only_erased BEFORE UPDATE OF personal ON events
WHEN json_array_length(NEW.personal) <> json_array_length(OLD.personal) OR EXISTS (
    SELECT 1 FROM json_each(NEW.personal) n JOIN json_each(OLD.personal) o ON o.key = n.key
    WHERE n.value <> o.value AND n.value <> json_object('name', json_extract(o.value, '$.name')))
BEGIN SELECT RAISE(ABORT, 'personal values of audit events can only be erased'); END;
-- +goose StatementEnd
