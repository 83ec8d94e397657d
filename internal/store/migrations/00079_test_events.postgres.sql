-- +goose Up
-- Events of a test organisation before its cut can be deleted whatever their age: its clock is ahead of real time, and
-- no law asks for them.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.occurred_at < now() - interval '4 years' OR EXISTS (SELECT 1 FROM test_organisations s WHERE s.org_id = OLD.org_id))
        AND EXISTS (SELECT 1 FROM trail_cuts c WHERE c.org_id = OLD.org_id AND c.sequence >= OLD.sequence) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit events are append-only';
END $$;
-- +goose StatementEnd
