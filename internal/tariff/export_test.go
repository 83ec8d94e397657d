package tariff

import (
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// ReadOwn reads a table such as the own one, for benchmarks and for invalid tables.
func ReadOwn(files fs.FS) (*Tariff, error) {
	t, err := readOwn(files)
	if err != nil {
		return nil, err
	}
	return t.tariff, nil
}

// OwnTables are the files of the own table.
var OwnTables fs.FS = ownTables

// ReadOwnTree reads the tree of such a table.
func ReadOwnTree(files fs.FS) (*nomenclature.Tree, error) {
	t, err := readOwn(files)
	if err != nil {
		return nil, err
	}
	return t.tree, nil
}
