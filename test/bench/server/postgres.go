package server

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"

	_ "github.com/jackc/pgx/v5/stdlib" // the database of larger installations
)

// PostgresVariable names the superuser address of a temporary PostgreSQL.
const PostgresVariable = "TIDEWAITER_TEST_POSTGRES"

// Database creates a database on the temporary PostgreSQL and returns the setting with which a service uses it;
// found is false without PostgreSQL.
func Database(ctx context.Context, name string) (setting string, found bool, err error) {
	address := os.Getenv(PostgresVariable)
	if address == "" {
		return "", false, nil
	}
	setting, err = DatabaseAt(ctx, address, name)
	return setting, err == nil, err
}

// DatabaseAt is Database on the PostgreSQL with this superuser address.
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
