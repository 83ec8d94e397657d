-- +goose Up
-- Requests about a declaration besides its submission and cancellation: the column purpose of these is
-- cancel, for the release before, and kind names the request. The detail holds its reason, in JSON.
ALTER TABLE transmissions ADD COLUMN kind TEXT;
ALTER TABLE transmissions ADD COLUMN detail TEXT;
