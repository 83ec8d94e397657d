package official

import (
	"bytes"
	"context"
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

// prefix begins the names of the pieces of a table; empty for a table that is stored whole.
func (k Kind) prefix() string {
	switch {
	case k == Recordings:
		return recordingPrefix
	case slices.Contains(measureKinds(measure.UK), k) || slices.Contains(measureKinds(measure.XI), k):
		return "table/" + string(k) + "/"
	}
	return ""
}

// InPieces reports whether a table is stored in pieces.
func (k Kind) InPieces() bool { return k.prefix() != "" }

// Adds reports whether an edition brings something of a table.
func (c Contents) Adds(k Kind) bool {
	_, whole := c.Tables[k]
	return whole || k.InPieces() && slices.ContainsFunc(c.Parts, func(p Part) bool { return strings.HasPrefix(p.Name, k.prefix()) })
}

// piecesOf returns the pieces of a table.
func piecesOf(k Kind, all []Part) (of []Part) {
	for _, p := range all {
		if strings.HasPrefix(p.Name, k.prefix()) {
			of = append(of, p)
		}
	}
	return of
}

// heldPieces returns the pieces of an edition, if it has tables that are stored in pieces.
func heldPieces(ctx context.Context, from Store, e Edition) ([]Part, error) {
	if !slices.ContainsFunc(e.Tables, func(t Table) bool { return t.Kind.InPieces() }) {
		return nil, nil
	}
	return from.TariffParts(ctx, e.Version)
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
	if !k.InPieces() || slices.ContainsFunc(parts, func(p part) bool { return p.Kind == k }) {
		return nil
	}
	return replacePieces(piecesOf(k, held), nil)
}

// replacePieces returns what an edition adds to another one to have the pieces of a table instead of those that are held: those
// that changed, and the end of those that are gone.
func replacePieces(held, now []Part) (adds []Part) {
	was := make(map[string][]byte, len(held))
	for _, h := range held {
		was[h.Name] = h.Packed
	}
	for _, n := range now {
		if packed, had := was[n.Name]; !had || !bytes.Equal(packed, n.Packed) {
			adds = append(adds, n)
		}
		delete(was, n.Name)
	}
	for _, h := range held {
		if _, gone := was[h.Name]; gone {
			adds = append(adds, Part{Name: h.Name})
		}
	}
	return adds
}
