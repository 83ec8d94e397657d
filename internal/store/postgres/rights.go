package postgres

import "github.com/tidewaiter/tidewaiter/internal/store/engine"

// RoleRights are rights of the connected role, beyond those that the service needs, and gaps
// in row-level security.
type RoleRights struct {
	Role string
	// Superuser and BypassesRLS are also true if the role can become such a role.
	Superuser   bool
	BypassesRLS bool
	Creates     bool     // may create tables in the schema
	RewritesLog bool     // may change, delete or truncate audit events; erasing the personal values beside them does not count
	Owns        []string // tables and views of the role, or of a role that it can become
	WithoutRLS  []string // tables of organisations without forced row security, or without a policy on the organisation
	BypassViews []string // views that show rows by the rights of their owner
	Missing     []string // tables that the role can neither read nor write
}

// ReadRoleRights reads the rights of the connected role.
func ReadRoleRights(query engine.QueryFunc) (r RoleRights, err error) {
	err = query(roleQuery, nil, func(row engine.Row) error {
		return row.Scan(&r.Role, &r.Superuser, &r.BypassesRLS, &r.Creates, &r.RewritesLog)
	})
	for _, list := range []struct {
		query string
		names *[]string
	}{{ownsQuery, &r.Owns}, {withoutRLSQuery, &r.WithoutRLS}, {viewsOverRLSQuery, &r.BypassViews}, {missingRightsQuery, &r.Missing}} {
		if err != nil {
			return r, err
		}
		err = query(list.query, nil, func(row engine.Row) error {
			var name string
			err := row.Scan(&name)
			*list.names = append(*list.names, name)
			return err
		})
	}
	return r, err
}

// Queries of the system catalogue. Partitions are checked too, because they can be read by
// their own names.
const (
	roleQuery = `SELECT current_user,
		(SELECT bool_or(r.rolsuper) FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')),
		(SELECT bool_or(r.rolbypassrls) FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER')),
		has_schema_privilege(current_schema(), 'CREATE'),
		COALESCE((SELECT bool_or(has_table_privilege(t.oid, 'UPDATE, DELETE, TRUNCATE')) FROM pg_class t
			WHERE t.oid IN (to_regclass('events'), to_regclass('audit_tiles')) OR t.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('events'))), false)
		OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = to_regclass('events') AND a.attnum > 0 AND NOT a.attisdropped
			AND a.attname <> 'personal' AND has_column_privilege(a.attrelid, a.attnum, 'UPDATE'))`

	ownsQuery = `SELECT c.relname FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_has_role(current_user, c.relowner, 'MEMBER')
		ORDER BY 1`

	ofOrganisations = `c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
		AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped)`

	withoutRLSQuery = `SELECT c.relname FROM pg_class c WHERE ` + ofOrganisations + `
		AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND COALESCE(
			(SELECT bool_and(pg_get_expr(p.polqual, p.polrelid) LIKE '%tidewaiter.org%') FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive AND
				EXISTS (SELECT 1 FROM pg_policy o WHERE o.polrelid = c.oid AND o.polname = 'own_rows')), false))
		ORDER BY 1`

	viewsOverRLSQuery = `SELECT c.relname FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND has_table_privilege(c.oid, 'SELECT')
		AND (c.relkind = 'm' OR c.relkind = 'v' AND NOT COALESCE(c.reloptions @> ARRAY['security_invoker=true'], false))
		ORDER BY 1`

	missingRightsQuery = `SELECT c.relname FROM pg_class c WHERE ` + ofOrganisations + ` AND NOT c.relispartition
		AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND NOT EXISTS (SELECT 1 FROM pg_attribute a
			WHERE c.relname = 'events' AND a.attrelid = c.oid AND a.attname = 'personal' AND NOT has_column_privilege(c.oid, a.attnum, 'UPDATE')))
		ORDER BY 1`
)
