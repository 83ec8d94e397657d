package store

import (
	"context"
	"fmt"
	"strings"
)

// Rights are what the service's role may do in its database, beyond what it needs,
// and how far the schema is. SQLite knows no roles: there, only the schema is told.
type Rights struct {
	Database string // "sqlite" or "postgres"
	Role     string
	// Superuser and BypassesWalls also hold where the role could become one that does.
	Superuser     bool
	BypassesWalls bool
	Creates       bool     // may make tables in the schema
	RewritesTrail bool     // may change, delete or empty the events; erasing the personal values beside them does not count
	Owns          []string // tables and views of the role, or of one that it could become
	Unwalled      []string // tables of organisations without forced row security and a policy that asks whose a row is
	Around        []string // views that show rows by the rights of their owner
	Lacks         []string // tables that the role can neither read nor write
	Schema        int64    // version of the database
	Newest        int64    // version that this program brings along
	Floor         int64    // oldest version whose programs work with the database; 0 before there was one
}

// Faults say in words what keeps row-level security from holding; none for SQLite,
// where statements alone keep organisations apart.
func (r Rights) Faults() (faults []string) {
	tell := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	if r.Database == sqliteDialect.name {
		return nil
	}
	tell(r.Superuser, "the role %s is a superuser, or can become one", r.Role)
	tell(r.BypassesWalls && !r.Superuser, "the role %s can bypass row-level security", r.Role)
	tell(len(r.Owns) > 0 && !r.Superuser, "the role %s owns %s, and can take down the walls of what it owns", r.Role, some(r.Owns))
	tell(r.Creates && !r.Superuser, "the role %s may create tables", r.Role)
	tell(r.RewritesTrail && !r.Superuser, "the role %s may change or delete audit events", r.Role)
	tell(len(r.Unwalled) > 0, "row-level security does not guard %s", some(r.Unwalled))
	tell(len(r.Around) > 0, "there is a way around row-level security by %s", some(r.Around))
	tell(len(r.Lacks) > 0, "the role %s lacks rights on %s; `tidewaiter migrate` grants them", r.Role, some(r.Lacks))
	tell(r.Schema < r.Newest || r.Floor > r.Newest, "the database has schema %d, this program brings %d", r.Schema, r.Newest)
	return faults
}

// maxNamed is how many tables a sentence names.
const maxNamed = 5

func some(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// Rights asks the database what the service's role may do.
func (s *Store) Rights(ctx context.Context) (r Rights, err error) {
	r.Database = s.dialect.name
	if r.Newest, err = newestSchema(s.dialect); err != nil {
		return r, err
	}
	err = s.viewAll(ctx, func(a everywhere) error {
		var err error
		if r.Schema, err = schemaOf(a.rows, s.dialect); err != nil {
			return err
		}
		if r.Schema >= firstFloor {
			if err := a.rows(floorQuery, nil, func(rows row) error { return rows.Scan(&r.Floor) }); err != nil {
				return err
			}
		}
		if s.dialect.name == sqliteDialect.name {
			return nil
		}
		return r.ask(a)
	})
	if err != nil {
		return r, fmt.Errorf("store: rights: %w", err)
	}
	return r, nil
}

// firstFloor is the first schema that says whom it bears.
const firstFloor = 42

func (r *Rights) ask(a everywhere) error {
	err := a.rows(roleQuery, nil, func(rows row) error {
		return rows.Scan(&r.Role, &r.Superuser, &r.BypassesWalls, &r.Creates, &r.RewritesTrail)
	})
	if err != nil {
		return err
	}
	for _, list := range []struct {
		query string
		names *[]string
	}{{ownsQuery, &r.Owns}, {unwalledQuery, &r.Unwalled}, {aroundQuery, &r.Around}, {lacksQuery, &r.Lacks}} {
		err := a.rows(list.query, nil, func(rows row) error {
			var name string
			err := rows.Scan(&name)
			*list.names = append(*list.names, name)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// What is asked of the catalogue. A partition has walls of its own, should anybody be
// let at it by its name.
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

	unwalledQuery = `SELECT c.relname FROM pg_class c WHERE ` + ofOrganisations + `
		AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND COALESCE(
			(SELECT bool_and(pg_get_expr(p.polqual, p.polrelid) LIKE '%tidewaiter.org%') FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive), false))
		ORDER BY 1`

	aroundQuery = `SELECT c.relname FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND has_table_privilege(c.oid, 'SELECT')
		AND (c.relkind = 'm' OR c.relkind = 'v' AND NOT COALESCE(c.reloptions @> ARRAY['security_invoker=true'], false))
		ORDER BY 1`

	lacksQuery = `SELECT c.relname FROM pg_class c WHERE ` + ofOrganisations + ` AND NOT c.relispartition
		AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND NOT EXISTS (SELECT 1 FROM pg_attribute a
			WHERE c.relname = 'events' AND a.attrelid = c.oid AND a.attname = 'personal' AND NOT has_column_privilege(c.oid, a.attnum, 'UPDATE')))
		ORDER BY 1`
)

// warnOfRights tells an operator at start what is not as it should be.
func (s *Store) warnOfRights(ctx context.Context, o Options) error {
	r, err := s.Rights(ctx)
	if err != nil || o.Log == nil {
		return err
	}
	if r.Schema > r.Newest {
		o.Log.Warn("a newer version has migrated the database; this one goes on with it", "schema", r.Schema, "known", r.Newest)
	}
	if faults := r.Faults(); len(faults) > 0 {
		o.Log.Warn("row-level security does not hold as it should; `tidewaiter migrate --role` gives the service a role of its own", "faults", faults)
	}
	return nil
}
