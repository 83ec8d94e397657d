package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
)

// Migrated is the result of Migrate.
type Migrated struct {
	Schema int64  // version of the schema after the migration
	Role   string // of the service, which owns nothing; empty if the service runs as the owner
	Tables int    // number of tables on which the role has rights

	Made         bool // the role was created
	Passwordless bool // it was created without a password
}

// Migrate brings the schema up to date as the owner of the database, and gives the service's
// role exactly the rights that it needs. The role is that of o.URL or, if role is not empty,
// the named one, which is created if it is missing.
func Migrate(ctx context.Context, o engine.Options, role string) (m Migrated, err error) {
	owner, err := ParseAddress(cmp.Or(o.OwnerURL, o.URL))
	if err != nil {
		return m, err
	}
	service, err := ParseAddress(o.URL)
	if err != nil {
		return m, err
	}
	wanted := serviceRole{name: cmp.Or(role, service.User), create: role != ""}
	if wanted.name == service.User {
		wanted.password = service.Password
	}
	m, err = migrateAsOwner(ctx, owner, wanted)
	m.Passwordless = m.Made && wanted.password == ""
	return m, err
}

// serviceRole is the role that the service connects as.
type serviceRole struct {
	name, password string
	create         bool // if it is missing
}

func migrateAsOwner(ctx context.Context, owner *pgx.ConnConfig, role serviceRole) (m Migrated, err error) {
	if m.Schema, err = applyLocked(ctx, owner); err != nil || role.name == owner.User {
		return m, err
	}
	db := stdlib.OpenDB(*owner)
	defer db.Close()
	newest, err := migrations.Newest(Dialect)
	if err != nil || m.Schema > newest {
		return m, err // the newer program knows the rights on newer tables
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

// ensure creates the role if that is wanted. It returns an error for a role that can bypass
// row-level security. It does not take rights from a role, because others may use it.
func (r serviceRole) ensure(ctx context.Context, tx *sql.Tx) (made bool, err error) {
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('tidewaiter roles', 0))"); err != nil {
		return false, fmt.Errorf("store: lock of the roles: %w", err)
	}
	var above, owner bool
	err = tx.QueryRowContext(ctx, "SELECT rolsuper OR rolbypassrls, pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles WHERE rolname = $1", r.name).Scan(&above, &owner)
	switch {
	case errors.Is(err, sql.ErrNoRows) && r.create:
		return true, r.createRole(ctx, tx)
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

func (r serviceRole) createRole(ctx context.Context, tx *sql.Tx) error {
	var statement string
	verifier, err := r.verifier(ctx, tx)
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L', $1::text, $2::text)",
			r.name, verifier).Scan(&statement)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, statement)
	}
	if err != nil {
		return fmt.Errorf("store: make the role %s: %w", r.name, err)
	}
	return nil
}

// Rights on tables, in alphabetical order. Audit events can be added but not changed, except
// for the personal values beside them, which can be erased. The schema's version and floor
// can only be read.
const rightsOnRecords = "DELETE, INSERT, SELECT, UPDATE"

var rightsOn = map[string]string{
	"audit_tiles":      "INSERT, SELECT",
	"events":           "INSERT, SELECT, UPDATE (personal)",
	"goose_db_version": "SELECT",
	"schema_floor":     "SELECT",
}

// grant corrects the rights of the role, and writes nothing if they are right. Partitions get
// no rights, because they are used through their tables.
func (r serviceRole) grant(ctx context.Context, tx *sql.Tx) (tables int, err error) {
	statements, err := r.schemaGrants(ctx, tx)
	if err != nil {
		return 0, err
	}
	err = engine.EachRow(tx.QueryContext(ctx, grantedQuery, r.name))(func(rows engine.Row) error {
		var schema, name, granted string
		var partition bool
		if err := rows.Scan(&schema, &name, &partition, &granted); err != nil {
			return err
		}
		wanted := ""
		if !partition {
			tables++
			wanted = cmp.Or(rightsOn[name], rightsOnRecords)
		}
		if granted == wanted {
			return nil
		}
		table, role := pgx.Identifier{schema, name}.Sanitize(), pgx.Identifier{r.name}.Sanitize()
		statements = append(statements, "REVOKE ALL ON "+table+" FROM "+role)
		if wanted != "" {
			statements = append(statements, "GRANT "+wanted+" ON "+table+" TO "+role)
		}
		return nil
	})
	if err == nil && len(statements) > 0 {
		_, err = tx.ExecContext(ctx, strings.Join(statements, "; "))
	}
	return tables, err
}

// grantedQuery lists the tables with the rights that a role has on them and on their columns.
const grantedQuery = `SELECT n.nspname, c.relname, c.relispartition, COALESCE((SELECT string_agg(g.right, ', ' ORDER BY g.right) FROM (
		SELECT a.privilege_type AS right FROM aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee WHERE r.rolname = $1
		UNION ALL SELECT a.privilege_type || ' (' || t.attname || ')' FROM pg_attribute t, aclexplode(t.attacl) a JOIN pg_roles r ON r.oid = a.grantee
			WHERE t.attrelid = c.oid AND NOT t.attisdropped AND r.rolname = $1) AS g), '')
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') ORDER BY 2`

// schemaGrants returns the statements that let the role use the schema without creating
// anything in it.
func (r serviceRole) schemaGrants(ctx context.Context, tx *sql.Tx) (statements []string, err error) {
	var schema, database string
	var connects, uses, creates bool
	err = tx.QueryRowContext(ctx, "SELECT s, d, has_database_privilege($1, d, 'CONNECT'), has_schema_privilege($1, s, 'USAGE'), has_schema_privilege($1, s, 'CREATE') "+
		"FROM (SELECT current_schema() AS s, current_database() AS d) AS here", r.name).Scan(&schema, &database, &connects, &uses, &creates)
	if err != nil {
		return nil, err
	}
	role, in := pgx.Identifier{r.name}.Sanitize(), pgx.Identifier{schema}.Sanitize()
	if !connects {
		statements = append(statements, "GRANT CONNECT ON DATABASE "+pgx.Identifier{database}.Sanitize()+" TO "+role)
	}
	if !uses {
		statements = append(statements, "GRANT USAGE ON SCHEMA "+in+" TO "+role)
	}
	if creates {
		statements = append(statements, "REVOKE CREATE ON SCHEMA "+in+" FROM PUBLIC, "+role)
	}
	return statements, nil
}
