package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownerTimeout is the most time for asking a database who owns its tables.
const ownerTimeout = 5 * time.Second

// TableOwner returns the role that owns the tables of a database. Any role that may connect
// can ask.
func TableOwner(ctx context.Context, address string) (role string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ownerTimeout)
	defer cancel()
	config, err := ParseAddress(address)
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
