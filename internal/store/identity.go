package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// identityName is what the id of an installation is called among its values.
const identityName = "installation-id"

// Expectation says which database a data folder belongs to.
type Expectation struct {
	// ID is the installation's id; empty if it is not known.
	ID string
	// Used reports that the folder has been used before, so that a missing or empty database is a lost one.
	Used bool
}

// ErrNoDatabase is the error of opening an existing database where there is none.
var ErrNoDatabase = errors.New("there is no database")

// Identify returns the installation's id, and gives it one if it has none yet.
func (s *Store) Identify(ctx context.Context) (id string, err error) {
	if id, err = s.Settle(ctx, identityName, s.newID()); err == nil {
		s.engine.belongsTo(id)
	}
	return id, err
}

// Installation returns the installation's id, and reports whether it has one.
func (s *Store) Installation(ctx context.Context) (id string, known bool, err error) {
	return s.Settled(ctx, identityName)
}

// identity is what a database is known by.
type identity struct {
	id    string // empty if it has none
	empty bool   // nothing was ever stored in it
}

// onceUsed are the tables of which one has a row as soon as a database is used.
var onceUsed = []string{"installation", "organisations"}

// readIdentity reads what a database is known by. The query exists returns 1 if a table is there and can be read.
// The connection must see the rows of all organisations.
func readIdentity(ctx context.Context, db *sql.DB, exists string) (i identity, err error) {
	i.empty = true
	for _, table := range onceUsed {
		var there int
		if err := db.QueryRowContext(ctx, exists, table).Scan(&there); err != nil {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
		if there == 0 {
			continue
		}
		var rows int
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+table+" LIMIT 1) AS one").Scan(&rows)
		if err != nil {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
		i.empty = i.empty && rows == 0
		if table == onceUsed[0] {
			err = db.QueryRowContext(ctx, identityQuery, string(tenant.Operator), identityName).Scan(&i.id)
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return i, fmt.Errorf("store: identity of the database: %w", err)
		}
	}
	return i, nil
}

const identityQuery = "SELECT value FROM installation WHERE org_id = $1 AND name = $2"

// Lost is the error of opening a database that is not the one the data folder belongs to.
type Lost struct {
	Folder string
	What   string // is wrong
}

func (l *Lost) Error() string {
	return fmt.Sprintf("%s, and the data folder %s belongs to an installation. Put its own database back or restore a backup; "+
		"if this database is meant, run `tidewaiter migrate --accept-database` first", l.What, l.Folder)
}

// refuse returns an error if a database is not the expected one.
func (x Expectation) refuse(folder, where string, found identity) error {
	switch {
	case x.ID != "" && found.id != "" && found.id != x.ID:
		return &Lost{folder, fmt.Sprintf("the database %s is of another installation (%s instead of %s)", where, found.id, x.ID)}
	case x.ID != "" && found.id == "", x.Used && found.empty:
		return &Lost{folder, fmt.Sprintf("the database %s is empty or of another installation", where)}
	}
	return nil
}
