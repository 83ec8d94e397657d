-- +goose Up
-- By what lists are filtered besides kind, status and time: the caller's own reference, the
-- shipment that a record refers to, and the client it belongs to. Programs before these columns
-- leave them and linked null; linked is true as soon as they hold what the record says.
ALTER TABLE filings ADD COLUMN own_reference TEXT;
ALTER TABLE filings ADD COLUMN shipment_id UUID ;
ALTER TABLE filings ADD COLUMN client_id UUID ;
ALTER TABLE filings ADD COLUMN linked BOOLEAN;

CREATE INDEX filings_by_update ON filings (org_id, kind, updated_at, id, created_at);
CREATE INDEX filings_by_reference ON filings (org_id, own_reference, kind, created_at, id) WHERE own_reference IS NOT NULL;
CREATE INDEX filings_by_shipment ON filings (org_id, shipment_id, kind, created_at, id) WHERE shipment_id IS NOT NULL;
CREATE INDEX filings_by_client ON filings (org_id, client_id, kind, created_at, id) WHERE client_id IS NOT NULL;

-- Only the kinds that had such values before; the index is empty once they are linked.
CREATE INDEX filings_not_linked ON filings (org_id, kind, id) WHERE linked IS NULL AND kind IN ('shipment', 'declaration', 'client');
