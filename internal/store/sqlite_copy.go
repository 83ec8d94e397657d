package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
)

// copyStep is how many pages are copied at a time: 4 MB. Between two steps the copy can
// be ended.
const copyStep = 1024

// CopyFile copies the SQLite database of a data folder into a new file, as it stands at
// one instant, beside whoever serves it: the copy reads in a snapshot, which keeps no
// writer waiting. It looks the copy through, and gives none of a damaged database. The
// error is ErrNoDatabase if there is none.
func CopyFile(ctx context.Context, folder, file string) error {
	from := filepath.Join(folder, File)
	if err := findDatabase(Options{Folder: folder, Existing: true}); err != nil {
		return err
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: copy: %s is there already", file)
	}
	err := copyPages(ctx, from, file)
	switch {
	case err != nil && sqliteDialect.isDamage(err):
		return damagedFile(from, err.Error())
	case err != nil:
		return fmt.Errorf("store: copy: %w", err)
	}
	return CheckFile(ctx, file)
}

// CheckFile looks a database file through that nobody serves, and names what is damaged.
func CheckFile(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", fileAddress(file)+"?immutable=1")
	if err != nil {
		return fmt.Errorf("store: open sqlite: %w", err)
	}
	defer db.Close()
	return check(db.QueryRowContext(ctx, "PRAGMA quick_check(1)"), file)
}

func fileAddress(file string) string { return "file:" + (&url.URL{Path: file}).EscapedPath() }

func copyPages(ctx context.Context, from, to string) error {
	db, err := sql.Open("sqlite", fileAddress(from)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range []string{"BEGIN DEFERRED", "SELECT count(*) FROM sqlite_schema"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return conn.Raw(func(c any) error {
		b, err := c.(copier).NewBackup(fileAddress(to))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(copyStep)
			}
		}
		return errors.Join(err, b.Finish())
	})
}

// copier is a connection that can copy its database.
type copier interface {
	NewBackup(to string) (*sqlite.Backup, error)
}
