package official

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// Tables of measures. Those of the tariff of Northern Ireland have XISuffix behind their kind.
const (
	Measures        Kind = "measures"            // measures-on-declarable-commodities
	DefinedMeasures Kind = "measures-as-defined" // the same measures where they are defined
	RawMeasures     Kind = "measures-raw"        // measures of the raw tables, with thresholds
)

// xiSuffix is behind the kinds of tables of the tariff of Northern Ireland.
const xiSuffix = "-xi"

// of returns the kind of a table for a service; that of the UK without one.
func (k Kind) of(service string) Kind {
	if service == measure.XI {
		return k + xiSuffix
	}
	return k
}

// measureKinds are the tables of measures of a service. Of equally old ones the first is used.
func measureKinds(service string) []Kind {
	return []Kind{RawMeasures.of(service), Measures.of(service), DefinedMeasures.of(service)}
}

// newestMeasures returns the table of measures of a service that is used; false if the edition has none.
func (e Edition) newestMeasures(service string) (newest Table, ok bool) {
	for _, k := range measureKinds(service) {
		if t, has := e.Table(k); has && t.AsOf > newest.AsOf {
			newest, ok = t, true
		}
	}
	return newest, ok
}

// prefix begins the names of the pieces of a table; empty for a table that is stored whole.
func (k Kind) prefix() string {
	switch {
	case k == Recordings:
		return recordingPrefix
	case k.inPieces() || slices.Contains(splitKinds, k):
		return tablePrefix(k)
	}
	return ""
}

// inPieces reports whether a table is read as pieces, instead of rows.
func (k Kind) inPieces() bool {
	return k == Recordings || slices.Contains(measureKinds(measure.UK), k) || slices.Contains(measureKinds(measure.XI), k)
}

// piecesOf returns the pieces of a table; none of a table that is stored whole.
func piecesOf(k Kind, all []Part) (of []Part) {
	for _, p := range all {
		if prefix := k.prefix(); prefix != "" && strings.HasPrefix(p.Name, prefix) {
			of = append(of, p)
		}
	}
	return of
}

// measurePieces are the pieces of a table of measures.
func measurePieces(k Kind, t *table.Table) ([]Part, error) {
	pieces, err := t.Pack()
	parts := make([]Part, len(pieces))
	for i, p := range pieces {
		parts[i] = Part{Name: k.prefix() + p.Name, Packed: p.Packed}
	}
	return parts, err
}

// unpackMeasures is the reverse of measurePieces.
func unpackMeasures(k Kind, parts []Part) (*table.Table, error) {
	var pieces []table.Piece
	for _, p := range piecesOf(k, parts) {
		pieces = append(pieces, table.Piece{Name: strings.TrimPrefix(p.Name, k.prefix()), Packed: p.Packed})
	}
	return table.Unpack(pieces)
}

// ended are the ends of the pieces of a table that an edition drops, unless it replaces that table.
func ended(k Kind, held []Part, parts []part) []Part {
	if slices.ContainsFunc(parts, func(p part) bool { return p.Kind == k }) {
		return nil
	}
	return changedParts(piecesOf(k, held), nil)
}
