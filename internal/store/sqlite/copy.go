package sqlite

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

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// pagesPerStep is how many pages are copied in one step: 4 MB. The copy can be cancelled
// between two steps.
const pagesPerStep = 1024

// CopyFile copies the database of a data folder into a new file, in one snapshot, also while
// a server uses it. It checks the copy, so that a damaged database gives an error. The error
// is engine.ErrNoDatabase if there is no database.
func CopyFile(ctx context.Context, folder, file string) error {
	from := filepath.Join(folder, File)
	if err := findDatabase(engine.Options{Folder: folder, Existing: true}); err != nil {
		return err
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: copy: %s is there already", file)
	}
	err := copyPages(ctx, from, file)
	switch {
	case err != nil && isDamage(err):
		return damaged(from, err.Error())
	case err != nil:
		return fmt.Errorf("store: copy: %w", err)
	}
	return CheckFile(ctx, file)
}

// FileAddress returns the address of a file for the driver, without parameters.
func FileAddress(file string) string { return "file:" + (&url.URL{Path: file}).EscapedPath() }

func copyPages(ctx context.Context, from, to string) error {
	db, err := sql.Open("sqlite", FileAddress(from)+"?_pragma=busy_timeout(10000)")
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
		b, err := c.(backuper).NewBackup(FileAddress(to))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(pagesPerStep)
			}
		}
		return errors.Join(err, b.Finish())
	})
}

// backuper is a connection of the driver.
type backuper interface {
	NewBackup(to string) (*sqlite.Backup, error)
}
