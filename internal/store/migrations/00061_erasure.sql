-- +goose Up
-- A former member whose personal data the organisation has erased; the row stays for the keys and events that name it.
ALTER TABLE memberships ADD COLUMN erased_at INSTANT;

-- The invitations of a person, in all organisations.
CREATE INDEX invitations_by_email ON invitations (email);
