-- +goose Up
-- Lists in the order of the clients' names: the names of clients by their records, and declarations that belong to no client, which
-- follow in such a list.
CREATE INDEX client_names ON filing_names (org_id, filing_id, value) WHERE name = 'client.name';
CREATE INDEX filings_without_client ON filings (org_id, kind, created_at, id) WHERE client_id IS NULL AND kind = 'declaration';
