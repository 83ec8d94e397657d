-- +goose Up
INSERT INTO list_views (org_id, id, user_id, kind, name, query, shared, place, created_at)
SELECT org_id, id, user_id, 'declaration', name, query, FALSE, 0, created_at FROM saved_views;
