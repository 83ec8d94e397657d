-- +goose Up
-- Every filter of the trail is one of these two, or a merge of a few of their parts:
-- see events_page.go. More would make every change dearer.
CREATE INDEX events_by_type ON events (org_id, hub, type, sequence);
CREATE INDEX events_by_actor ON events (org_id, actor_user_id, hub, type, sequence);
