package tariff

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Days of the own table: the first day of the UK Global Tariff, whose duties it has; the day
// of its VAT rates; and the day of the nomenclature with its codes.
const (
	ownAsOf         = "2021-01-01"
	ownVATAsOf      = "2021-01-01"
	ownNomenclature = "2022-01-01"
)

// ownTables are one file for each chapter.
//
//go:embed own/*.csv
var ownTables embed.FS

// ownTable is the included tariff, as measures and as a tree.
type ownTable struct {
	tariff *Tariff
	tree   *nomenclature.Tree
}

var own = sync.OnceValue(func() *ownTable {
	t, err := readOwn(ownTables)
	if err != nil {
		panic(err)
	}
	return t
})

// Own returns the included tariff: commonly traded goods of every chapter. Its duties are
// those of 1 January 2021 without preferences, suspensions, quotas and trade remedies. Its VAT
// is the rate without a relief: 20 % for medicines, as only prescribed ones are exempt.
func Own() *Tariff { return own().tariff }

// OwnTree returns the included nomenclature: every chapter and heading, and the goods of Own
// below them, with the service's own descriptions and everyday words. A code that it lacks may
// exist.
func OwnTree() *nomenclature.Tree { return own().tree }

// FreshOwnTree reads the tree of OwnTree again, for callers that must not keep it in memory.
func FreshOwnTree() *nomenclature.Tree {
	t, err := readOwn(ownTables)
	if err != nil {
		panic(err)
	}
	return t.tree
}

// OwnDigest returns the SHA-256 of the own table's files without reading the table.
func OwnDigest() [sha256.Size]byte {
	all := sha256.New()
	err := fs.WalkDir(ownTables, "own", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := ownTables.ReadFile(name)
		sum := sha256.Sum256(text)
		_, _ = all.Write(append([]byte(name), sum[:]...))
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return [sha256.Size]byte(all.Sum(nil))
}

func newOwn(rows []ownRow) (*ownTable, error) {
	nodes, err := ownNodes(rows)
	if err != nil {
		return nil, fmt.Errorf("tariff: own table: %w", err)
	}
	tree, err := nomenclature.New(nodes)
	if err != nil {
		return nil, fmt.Errorf("tariff: own table: %w", err)
	}
	var lines []Line
	for _, r := range rows {
		if r.declarable() {
			lines = append(lines, r.line)
		}
	}
	t, err := New(lines)
	if err != nil {
		return nil, fmt.Errorf("tariff: own table: %w", err)
	}
	return &ownTable{t, tree}, nil
}
