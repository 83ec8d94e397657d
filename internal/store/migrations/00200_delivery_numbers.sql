-- +goose Up
-- The numbers of deliveries by the time of their creation. A row has those of an endpoint and type for an hour by minute, or for a
-- day by hour; the endpoint with only zeros stands for all, and so does an empty type.
CREATE TABLE delivery_numbers (
    org_id      UUID    NOT NULL,
    endpoint_id UUID    NOT NULL,
    span        TEXT    NOT NULL CHECK (span IN ('hour', 'day')),
    at          INSTANT NOT NULL,
    event_type  TEXT    NOT NULL,
    body        BYTES   NOT NULL,
    PRIMARY KEY (org_id, endpoint_id, span, at, event_type)
);
CREATE INDEX delivery_numbers_by_age ON delivery_numbers (at, org_id);

-- What commits have counted and these rows do not have yet.
CREATE TABLE delivery_changes (
    org_id UUID  NOT NULL,
    id     UUID  NOT NULL,
    body   BYTES NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- How many attempts of a delivery the numbers have; null if they do not have the delivery itself. An older program leaves it as it
-- is, and an event that it has stored is marked with its first delivery.
ALTER TABLE deliveries ADD COLUMN counted INTEGER;
CREATE INDEX deliveries_uncounted ON deliveries (org_id, id) WHERE COALESCE(counted, -1) < attempts;
ALTER TABLE notices ADD COLUMN counted BOOLEAN;
