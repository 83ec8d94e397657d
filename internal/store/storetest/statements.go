package storetest

import (
	"slices"
	"sync"
)

// statement is one that was sent to a kind of database.
type statement struct{ database, query string }

// sent are the statements of this process.
var sent sync.Map

// RecordStatement notes a statement that is sent to a kind of database.
func RecordStatement(database, query string) { sent.Store(statement{database, query}, true) }

// Statements returns the statements that were sent to a kind of database, in order: by stores that this package has opened,
// and those that were recorded.
func Statements(database string) (all []string) {
	sent.Range(func(s, _ any) bool {
		if s := s.(statement); s.database == database {
			all = append(all, s.query)
		}
		return true
	})
	slices.Sort(all)
	return all
}
