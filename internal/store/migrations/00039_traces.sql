-- +goose Up
-- What caused a job or a delivery, as a W3C traceparent; nothing where nobody traces.
ALTER TABLE jobs ADD COLUMN trace TEXT;
ALTER TABLE deliveries ADD COLUMN trace TEXT;
