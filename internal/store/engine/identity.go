package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Names of values in the table installation, which belong to tenant.Operator.
const (
	IdentityName = "installation-id"
	// MovingName holds the progress of a move. A database that has it is incomplete and is
	// not served.
	MovingName = "move"
	// MovedName holds which installation was moved into the database. A move that was
	// interrupted after its last step is recognised by it when it is run again.
	MovedName = "moved"
)

// IdentityQuery reads a value of the installation.
const IdentityQuery = "SELECT value FROM installation WHERE org_id = $1 AND name = $2"

// Expectation is what is known of the database that a data folder belongs to.
type Expectation struct {
	// ID is the installation's ID; empty if it is not known.
	ID string
	// Used reports that the folder was used before, so that its database must not be missing
	// or empty.
	Used bool
}

// ErrNoDatabase is the error if an existing database is to be opened and there is none.
var ErrNoDatabase = errors.New("there is no database")

// Identity is what a database is recognised by.
type Identity struct {
	ID    string // empty if it has none
	Empty bool   // nothing was ever stored in it
}

// firstUsed are the tables of which one has a row as soon as a database is used.
var firstUsed = []string{"installation", "organisations"}

// ReadIdentity reads the identity of a database. The query exists returns 1 if a table exists
// and can be read. The connection must see the rows of all organisations.
func ReadIdentity(ctx context.Context, db *sql.DB, exists string) (i Identity, err error) {
	i.Empty = true
	for _, table := range firstUsed {
		var found int
		if err := db.QueryRowContext(ctx, exists, table).Scan(&found); err != nil {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
		if found == 0 {
			continue
		}
		var rows int
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+table+" LIMIT 1) AS one").Scan(&rows)
		if err != nil {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
		i.Empty = i.Empty && rows == 0
		if table == firstUsed[0] {
			err = db.QueryRowContext(ctx, IdentityQuery, string(tenant.Operator), IdentityName).Scan(&i.ID)
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
	}
	return i, nil
}

// Lost is the error of opening a database that is not the one the data folder belongs to.
type Lost struct {
	Folder string
	What   string // what is wrong, such as "the database x is empty"
}

func (l *Lost) Error() string {
	return fmt.Sprintf("%s, and the data folder %s belongs to an installation. Put its own database back or restore a backup; "+
		"if this database is meant, run `tidewaiter migrate --accept-database` first", l.What, l.Folder)
}

// Check returns an error if a database is not the expected one.
func (x Expectation) Check(folder, where string, found Identity) error {
	switch {
	case x.ID != "" && found.ID != "" && found.ID != x.ID:
		return &Lost{folder, fmt.Sprintf("the database %s is of another installation (%s instead of %s)", where, found.ID, x.ID)}
	case x.ID != "" && found.ID == "", x.Used && found.Empty:
		return &Lost{folder, fmt.Sprintf("the database %s is empty or of another installation", where)}
	}
	return nil
}
