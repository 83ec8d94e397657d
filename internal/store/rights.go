package store

import (
	"context"
	"fmt"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"strings"
)

// Rights are the rights of the service's role in its database, and the schema. SQLite has no
// roles.
type Rights struct {
	Database string // engine.SQLite or engine.Postgres
	postgres.RoleRights
	Schema int64 // version of the database
	Newest int64 // version of this program
	Floor  int64 // oldest version whose programs work with the database; 0 before there was one
}

// Faults returns in words what prevents row-level security from working; nothing for SQLite,
// where only the statements keep organisations apart.
func (r Rights) Faults() (faults []string) {
	tell := func(wrong bool, format string, args ...any) {
		if wrong {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	if r.Database == engine.SQLite {
		return nil
	}
	tell(r.Superuser, "the role %s is a superuser, or can become one", r.Role)
	tell(r.BypassesRLS && !r.Superuser, "the role %s can bypass row-level security", r.Role)
	tell(len(r.Owns) > 0 && !r.Superuser, "the role %s owns %s, and can take down the walls of what it owns", r.Role, listNames(r.Owns))
	tell(r.Creates && !r.Superuser, "the role %s may create tables", r.Role)
	tell(r.RewritesLog && !r.Superuser, "the role %s may change or delete audit events", r.Role)
	tell(len(r.WithoutRLS) > 0, "row-level security does not guard %s", listNames(r.WithoutRLS))
	tell(len(r.BypassViews) > 0, "there is a way around row-level security by %s", listNames(r.BypassViews))
	tell(len(r.Missing) > 0, "the role %s lacks rights on %s; `tidewaiter migrate` grants them", r.Role, listNames(r.Missing))
	tell(r.Schema < r.Newest || r.Floor > r.Newest, "the database has schema %d, this program brings %d", r.Schema, r.Newest)
	return faults
}

// maxNamed is the most tables that a sentence names.
const maxNamed = 5

func listNames(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// Rights asks the database what the service's role may do.
func (s *Store) Rights(ctx context.Context) (r Rights, err error) {
	r.Database = s.dialect.Name
	if r.Newest, err = migrations.Newest(s.dialect); err != nil {
		return r, err
	}
	err = s.viewAll(ctx, func(a allOrgs) error {
		var err error
		if r.Schema, err = migrations.SchemaOf(a.rows, s.dialect); err != nil {
			return err
		}
		if r.Schema >= firstFloor {
			if err := a.rows(migrations.FloorQuery, nil, func(rows engine.Row) error { return rows.Scan(&r.Floor) }); err != nil {
				return err
			}
		}
		if s.dialect.Name == engine.SQLite {
			return nil
		}
		r.RoleRights, err = postgres.ReadRoleRights(a.rows)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("store: rights: %w", err)
	}
	return r, nil
}

// firstFloor is the first schema with a table schema_floor.
const firstFloor = 42

// warnOfRights logs wrong rights at start.
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
