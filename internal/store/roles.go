package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Migrated is what Migrate has done.
type Migrated struct {
	Schema int64  // version of the schema, now
	Role   string // of the service, which owns nothing; empty where the owner serves
	Made   bool   // the role was not there before
	Tables int    // on which the role has got rights
}

// Migrate brings the schema up to date as the owner of the database, and gives the
// service's role what it needs and nothing else. The role is that of o.URL, or the
// one named, which is made where it is missing.
func Migrate(ctx context.Context, o Options, role string) (m Migrated, err error) {
	if o.URL == "" && o.OwnerURL == "" {
		s, err := Open(ctx, o)
		if err != nil {
			return m, err
		}
		r, err := s.Rights(ctx)
		return Migrated{Schema: r.Schema}, errors.Join(err, s.Close())
	}
	owner, err := parseAddress(o.ownerURL())
	if err != nil {
		return m, err
	}
	wanted := serviceRole{name: role, make: role != ""}
	if o.URL != "" {
		service, err := parseAddress(o.URL)
		if err != nil {
			return m, err
		}
		if role == "" || role == service.User {
			wanted.name, wanted.password = service.User, service.Password
		}
	}
	if wanted.name == "" {
		return m, errors.New("store: migrate: name the service's role, or give its database address")
	}
	return migrateAsOwner(ctx, owner, wanted)
}

func (o Options) ownerURL() string {
	if o.OwnerURL != "" {
		return o.OwnerURL
	}
	return o.URL
}

// serviceRole is the role that the service connects as.
type serviceRole struct {
	name, password string
	make           bool // where it is missing
}

func migrateAsOwner(ctx context.Context, owner *pgx.ConnConfig, role serviceRole) (m Migrated, err error) {
	db := stdlib.OpenDB(*owner)
	defer db.Close()
	if err := migrateLocked(ctx, db); err != nil {
		return m, err
	}
	if m.Schema, err = newestSchema(postgresDialect); err != nil || role.name == owner.User {
		return m, err
	}
	m.Role = role.name
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return m, fmt.Errorf("store: owner of the database: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if m.Made, err = role.ensure(ctx, tx); err != nil {
		return m, err
	}
	if m.Tables, err = role.grant(ctx, tx); err != nil {
		return m, fmt.Errorf("store: rights of %s: %w", role.name, err)
	}
	return m, tx.Commit()
}

// ensure makes the role where that is wanted, and refuses one that no wall would hold:
// it may be somebody's own, so that it is not for us to take its powers.
func (r serviceRole) ensure(ctx context.Context, tx *sql.Tx) (made bool, err error) {
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('tidewaiter roles', 0))"); err != nil {
		return false, fmt.Errorf("store: lock of the roles: %w", err)
	}
	var above, owner bool
	err = tx.QueryRowContext(ctx, "SELECT rolsuper OR rolbypassrls, pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles WHERE rolname = $1", r.name).Scan(&above, &owner)
	switch {
	case errors.Is(err, sql.ErrNoRows) && r.make:
		return true, r.create(ctx, tx)
	case errors.Is(err, sql.ErrNoRows):
		return false, fmt.Errorf("store: there is no role %s; `tidewaiter migrate --role %s` makes it", r.name, r.name)
	case err != nil:
		return false, fmt.Errorf("store: role %s: %w", r.name, err)
	case above:
		return false, fmt.Errorf("store: the role %s can bypass row-level security; give the service one that cannot", r.name)
	case owner:
		return false, fmt.Errorf("store: the role %s is a member of the owner's; give the service one that is not", r.name)
	}
	return false, nil
}

func (r serviceRole) create(ctx context.Context, tx *sql.Tx) error {
	password := sql.NullString{String: r.password, Valid: r.password != ""}
	var statement string
	err := tx.QueryRowContext(ctx, "SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L', $1::text, $2::text)",
		r.name, password).Scan(&statement)
	if err == nil {
		_, err = tx.ExecContext(ctx, statement)
	}
	if err != nil {
		return fmt.Errorf("store: make the role %s: %w", r.name, err)
	}
	return nil
}

// Rights on tables. Audit events can be added and never changed, and how far the
// schema is can only be read.
const rightsOnRecords = "SELECT, INSERT, UPDATE, DELETE"

var rightsOn = map[string]string{
	"events":           "SELECT, INSERT",
	"goose_db_version": "SELECT",
}

// grant takes whatever rights the role has on the tables and gives it those that it
// needs. Partitions are reached by way of their tables alone.
func (r serviceRole) grant(ctx context.Context, tx *sql.Tx) (tables int, err error) {
	var schema, database string
	var names []string
	if err := tx.QueryRowContext(ctx, "SELECT current_schema(), current_database()").Scan(&schema, &database); err != nil {
		return 0, err
	}
	err = collect(tx.QueryContext(ctx, "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1"))(
		func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			names = append(names, name)
			return err
		})
	if err != nil {
		return 0, err
	}
	role, home := pgx.Identifier{r.name}.Sanitize(), pgx.Identifier{schema}.Sanitize()
	statements := []string{
		"GRANT CONNECT ON DATABASE " + pgx.Identifier{database}.Sanitize() + " TO " + role,
		"REVOKE CREATE ON SCHEMA " + home + " FROM PUBLIC, " + role,
		"GRANT USAGE ON SCHEMA " + home + " TO " + role,
		"REVOKE ALL ON ALL TABLES IN SCHEMA " + home + " FROM " + role,
	}
	for _, name := range names {
		rights, narrow := rightsOn[name]
		if !narrow {
			rights = rightsOnRecords
		}
		statements = append(statements, "GRANT "+rights+" ON "+pgx.Identifier{schema, name}.Sanitize()+" TO "+role)
	}
	_, err = tx.ExecContext(ctx, strings.Join(statements, "; "))
	return len(names), err
}
