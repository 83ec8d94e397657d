package tariff

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Days of the embedded table: the first day of the UK Global Tariff, whose duties it has; the day
// of its VAT rates; and the day of the nomenclature with its codes.
const (
	embeddedAsOf         = "2021-01-01"
	embeddedVATAsOf      = "2021-01-01"
	embeddedNomenclature = "2022-01-01"
)

// packedFiles are the files of the folder own, one for each chapter, at a quarter of their size. `make generate` packs them.
//
//go:embed own.zip
var packedFiles []byte

// embeddedFiles opens the packed files.
func embeddedFiles() fs.FS {
	files, err := zip.NewReader(bytes.NewReader(packedFiles), int64(len(packedFiles)))
	if err != nil {
		panic(err) // they are part of the program
	}
	return files
}

// embeddedTable is the included tariff, as measures and as a tree.
type embeddedTable struct {
	tariff *Tariff
	tree   *nomenclature.Tree
}

var embedded = sync.OnceValue(func() *embeddedTable {
	t, err := readEmbedded(embeddedFiles())
	if err != nil {
		panic(err)
	}
	return t
})

// Embedded returns the included tariff: commonly traded goods of every chapter. Its duties are
// those of 1 January 2021 without preferences, suspensions, quotas and trade remedies. Its VAT
// is the rate without a relief: 20 % for medicines, as only prescribed ones are exempt.
func Embedded() *Tariff { return embedded().tariff }

// EmbeddedTree returns the included nomenclature: every chapter and heading, and the goods of Embedded
// below them, with the service's own descriptions and everyday words. A code that it lacks may
// exist.
func EmbeddedTree() *nomenclature.Tree { return embedded().tree }

// ReadEmbeddedTree reads the tree of EmbeddedTree again, for callers that must not keep it in memory.
func ReadEmbeddedTree() *nomenclature.Tree {
	t, err := readEmbedded(embeddedFiles())
	if err != nil {
		panic(err)
	}
	return t.tree
}

// EmbeddedDigest returns the SHA-256 of the embedded table's packed files without reading the table.
func EmbeddedDigest() [sha256.Size]byte { return sha256.Sum256(packedFiles) }

func newEmbedded(rows []embeddedRow) (*embeddedTable, error) {
	nodes, err := embeddedNodes(rows)
	if err != nil {
		return nil, fmt.Errorf("tariff: embedded table: %w", err)
	}
	tree, err := nomenclature.New(nodes)
	if err != nil {
		return nil, fmt.Errorf("tariff: embedded table: %w", err)
	}
	var lines []Line
	for _, r := range rows {
		if r.declarable() {
			lines = append(lines, r.line)
		}
	}
	t, err := New(lines)
	if err != nil {
		return nil, fmt.Errorf("tariff: embedded table: %w", err)
	}
	return &embeddedTable{t, tree}, nil
}
