package tariff

import (
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// ReadEmbedded reads a table such as the own one, for benchmarks and for invalid tables.
func ReadEmbedded(files fs.FS) (*Tariff, error) {
	t, err := readEmbedded(files)
	if err != nil {
		return nil, err
	}
	return t.tariff, nil
}

// EmbeddedFiles are the files of the embedded table.
func EmbeddedFiles() fs.FS { return embeddedFiles() }

// ReadEmbeddedTreeOf reads the tree of such a table.
func ReadEmbeddedTreeOf(files fs.FS) (*nomenclature.Tree, error) {
	t, err := readEmbedded(files)
	if err != nil {
		return nil, err
	}
	return t.tree, nil
}
