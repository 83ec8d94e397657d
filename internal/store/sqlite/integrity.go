package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxCheckedAtStart is the size in bytes up to which a database is checked whenever it is
// opened, which takes half a second at most. `tidewaiter doctor` checks a larger one.
const maxCheckedAtStart = 64 << 20

// checkAtStart checks a database file of moderate size for damage.
func checkAtStart(ctx context.Context, db *sql.DB, file string) error {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a new one
	}
	if err != nil || info.Size() > maxCheckedAtStart {
		return err
	}
	return checkResult(db.QueryRowContext(ctx, "PRAGMA quick_check(1)"), file)
}

// CheckFile checks a database file that no process has open, and names what is damaged.
func CheckFile(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", FileAddress(file)+"?immutable=1")
	if err != nil {
		return fmt.Errorf("store: open sqlite: %w", err)
	}
	defer db.Close()
	return checkResult(db.QueryRowContext(ctx, "PRAGMA quick_check(1)"), file)
}

func checkResult(row *sql.Row, file string) error {
	var result string
	err := row.Scan(&result)
	if err != nil && !isDamage(err) {
		return fmt.Errorf("store: check of %s: %w", file, err)
	}
	if err != nil {
		result = err.Error()
	}
	if result != "ok" {
		return damaged(file, result)
	}
	return nil
}

func damaged(file, problem string) error {
	return fmt.Errorf("store: the database %s is damaged (%s): keep it aside, and restore a backup", file, problem)
}
