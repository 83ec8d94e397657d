-- +goose Up
-- The rejected records of a client: few of many, which its page shows first.
CREATE INDEX filings_rejected ON filings (org_id, client_id, kind, created_at, id) WHERE status = 'REJECTED' AND client_id IS NOT NULL;
