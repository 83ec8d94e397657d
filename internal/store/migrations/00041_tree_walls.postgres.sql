-- +goose Up
ALTER TABLE audit_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;
ALTER TABLE audit_tiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_tiles FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON audit_tiles USING (
    org_id::text = (SELECT current_setting('tidewaiter.org', true))
    OR (SELECT current_setting('tidewaiter.org', true)) = '*');
CREATE TRIGGER tiles_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_tiles
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
