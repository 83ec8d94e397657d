// Package backup is the file format of a backup of an SQLite installation: a ZIP file with the database, the master key
// if it was requested, and a manifest that counts the rows. A checksum of all bytes is at its end.
package backup

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Format is the version of this file format.
const Format = 1

// Names of the files in a backup. Unpacked by hand, they are a data folder.
const (
	databaseName = "tidewaiter.db"
	keyName      = "master.key"
	manifestName = "manifest.json"
)

// Manifest describes a backup.
type Manifest struct {
	Format    int              `json:"format"`
	Program   string           `json:"program"` // version of the program that made it
	At        time.Time        `json:"at"`      // it contains everything that was acknowledged before
	Schema    int64            `json:"schema"`
	Bytes     int64            `json:"bytes"` // of the database
	SHA256    string           `json:"sha256"`
	Rows      map[string]int64 `json:"rows"`  // of each table
	Heads     []Head           `json:"heads"` // by organisation
	KeyInside bool             `json:"keyInside"`
	Key       string           `json:"key"` // where the master key is, as a sentence
}

// Head is the newest event of an organisation's audit trail.
type Head struct {
	OrganisationID string `json:"organisationId"`
	Sequence       int64  `json:"sequence"`
	Hash           string `json:"hash"`
}

// Where the master key is, in a manifest.
const (
	keyInside = "master.key in this backup: anyone with the backup can read its secrets"
	keyApart  = "not in this backup: a restored installation needs the master key from its own copy"
)

// Differences returns the differences between a database and the manifest, as sentences.
func (m *Manifest) Differences(schema int64, rows map[string]int64, heads []Head) (found []string) {
	if schema != m.Schema {
		found = append(found, fmt.Sprintf("its schema is %d, the manifest says %d", schema, m.Schema))
	}
	tables := maps.Clone(m.Rows)
	maps.Copy(tables, rows)
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		if rows[table] != m.Rows[table] {
			found = append(found, fmt.Sprintf("the table %s has %d rows, the manifest says %d", table, rows[table], m.Rows[table]))
		}
	}
	if !slices.Equal(heads, m.Heads) {
		found = append(found, "the trails do not end where the manifest says")
	}
	return found
}

// AllRows returns the number of rows in all tables.
func (m *Manifest) AllRows() (n int64) {
	for _, rows := range m.Rows {
		n += rows
	}
	return n
}

// maxManifest is the maximum size of a manifest in bytes: that of some 400,000 organisations.
const maxManifest = 128 << 20

func readManifest(r io.Reader) (m Manifest, err error) {
	d := json.NewDecoder(io.LimitReader(r, maxManifest))
	d.DisallowUnknownFields()
	err = d.Decode(&m)
	return m, err
}
