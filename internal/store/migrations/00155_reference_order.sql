-- +goose Up
-- The index of references is ordered by them within a kind, so that lists can be; equal ones are found by it as before. Records
-- without a reference follow in such a list and have an index of their own: each record is in one of the two.
DROP INDEX filings_by_reference;
CREATE INDEX filings_by_reference ON filings (org_id, kind, own_reference, created_at, id) WHERE own_reference IS NOT NULL;
CREATE INDEX filings_without_reference ON filings (org_id, kind, created_at, id) WHERE own_reference IS NULL;
