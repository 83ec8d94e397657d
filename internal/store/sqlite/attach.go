package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Attach opens the database of a folder as it is. It creates and migrates nothing. The
// error is fs.ErrNotExist if there is no file.
func Attach(ctx context.Context, o engine.Options) (*Engine, error) {
	file := filepath.Join(o.Folder, File)
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	db, err := sql.Open("sqlite", address(file))
	if err != nil {
		return nil, fmt.Errorf("store: open sqlite: %w", err)
	}
	return run(ctx, file, db, o, func() {})
}
