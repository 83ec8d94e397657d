-- +goose Up
-- Rules that an OWNER sets for the organisation, as JSON. Organisations that exist keep
-- what their members could do so far.
ALTER TABLE organisations ADD COLUMN policy TEXT NOT NULL DEFAULT '{}';
UPDATE organisations SET policy = '{"membersMayManageWebhooks":true}';

-- How and when a session was last authenticated. A session of an organisation's own
-- identity provider names the provider and opens that organisation alone.
ALTER TABLE sessions ADD COLUMN authenticated_at INSTANT;
ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'password';
ALTER TABLE sessions ADD COLUMN provider TEXT;
ALTER TABLE sessions ADD COLUMN bound_organisation UUID NULL;
