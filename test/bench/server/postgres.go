package server

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib" // the database of larger installations
)

// PostgresVariable names the superuser address of a throw-away PostgreSQL.
const PostgresVariable = "TIDEWAITER_TEST_POSTGRES"

// Database makes a database of its own on the throw-away PostgreSQL and gives the
// setting that leads a service to it; none where there is no PostgreSQL.
func Database(ctx context.Context, name string) (setting string, found bool, err error) {
	address := os.Getenv(PostgresVariable)
	if address == "" {
		return "", false, nil
	}
	setting, err = DatabaseAt(ctx, address, name)
	return setting, err == nil, err
}

// DatabaseAt is Database on a PostgreSQL whose superuser's address is given.
func DatabaseAt(ctx context.Context, address, name string) (setting string, err error) {
	admin, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer admin.Close()
	for _, statement := range []string{
		`DO $$ BEGIN CREATE ROLE tidewaiter LOGIN PASSWORD 'tidewaiter'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`,
		"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)",
		"CREATE DATABASE " + name + " OWNER tidewaiter",
	} {
		if _, err := admin.ExecContext(ctx, statement); err != nil {
			return "", fmt.Errorf("server: database: %w", err)
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.User, u.Path = url.UserPassword("tidewaiter", "tidewaiter"), "/"+name
	return "TIDEWAITER_DATABASE_URL=" + u.String(), nil
}
