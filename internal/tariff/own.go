package tariff

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// The days of the own table: that on which the UK Global Tariff came into force, with
// the duties that the table carries; that of the VAT rates; and that of the
// nomenclature whose codes it uses.
const (
	ownAsOf         = "2021-01-01"
	ownVATAsOf      = "2021-01-01"
	ownNomenclature = "2022-01-01"
)

// ownTables are one file for each chapter.
//
//go:embed own/*.csv
var ownTables embed.FS

// ownTable is what the service ships, once as measures and once as a tree.
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

// Own is the table that the service ships: goods that are commonly traded, from
// every chapter. Its duties are the published ones of 1 January 2021, without
// preferences, suspensions, quotas and trade remedies; its VAT is the rate that
// applies without a relief, so a medicine bears 20 %, as only prescribed ones are free.
func Own() *Tariff { return own().tariff }

// OwnTree is the nomenclature that the service ships: every chapter and heading, and
// the goods of Own below them, in words of our own and with the everyday words that
// lead to them. A code that it lacks may exist.
func OwnTree() *nomenclature.Tree { return own().tree }

// FreshOwnTree reads the tree of OwnTree again, for a caller that does not want it to stay
// in memory.
func FreshOwnTree() *nomenclature.Tree {
	t, err := readOwn(ownTables)
	if err != nil {
		panic(err)
	}
	return t.tree
}

// OwnDigest is the SHA-256 of the own table's files. It does not read the table.
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
