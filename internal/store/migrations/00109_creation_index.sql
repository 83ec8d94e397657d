-- +goose Up
-- The index of the order by creation also has the last change, as that by the last change has the creation: a list in
-- either order that is filtered by the other instant reads only the records that it shows.
DROP INDEX filings_by_creation;
CREATE INDEX filings_by_creation ON filings (org_id, kind, created_at, id, updated_at);
