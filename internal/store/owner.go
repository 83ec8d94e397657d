package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownerAnswer is how long a database may take to say who owns its tables.
const ownerAnswer = 5 * time.Second

// TableOwner returns the role that owns the tables of a PostgreSQL database, asked by any
// role that may connect.
func TableOwner(ctx context.Context, address string) (role string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ownerAnswer)
	defer cancel()
	config, err := parseAddress(address)
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return "", fmt.Errorf("store: owner of the tables: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	query := "SELECT relowner::regrole::text FROM pg_class WHERE oid = to_regclass('goose_db_version')"
	if err := conn.QueryRow(ctx, query).Scan(&role); err != nil {
		return "", fmt.Errorf("store: owner of the tables: %w", err)
	}
	return role, nil
}
