package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// refuseDamaged answers everything once the database has shown damage: what would be
// written to it could not be vouched for.
func refuseDamaged() *apierr.Error {
	return apierr.New(apierr.StoreUnavailable, "The database is damaged, so nothing is read from it or written to it. The operator has to restore it from a backup.")
}

// checkedAtStart is up to which size, in bytes, a database is looked through whenever
// it is opened: half a second at most. A larger one is looked through by the doctor.
const checkedAtStart = 64 << 20

// sound looks through a database file of a moderate size, and names what is damaged.
func sound(ctx context.Context, db *sql.DB, file string) error {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a new one
	}
	if err != nil || info.Size() > checkedAtStart {
		return err
	}
	return check(db.QueryRowContext(ctx, "PRAGMA quick_check(1)"), file)
}

func check(row *sql.Row, file string) error {
	var said string
	err := row.Scan(&said)
	if err != nil && !sqliteDialect.isDamage(err) {
		return fmt.Errorf("store: check of %s: %w", file, err)
	}
	if err != nil {
		said = err.Error()
	}
	if said != "ok" {
		return damagedFile(file, said)
	}
	return nil
}

func damagedFile(file, said string) error {
	return fmt.Errorf("store: the database %s is damaged (%s): keep it aside, and restore a backup", file, said)
}
