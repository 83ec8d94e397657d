package official

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// splitKinds are the tables that are stored by chapter, so that an edition stores the chapters that it changes, and the
// measures of a code can be read without the others.
var splitKinds = []Kind{Nomenclature, Duties, VAT, VATHints, Units}

// chapterDigits is the length of the number of a chapter, with which a code begins.
const chapterDigits = 2

// tablePrefix begins the names of the pieces of a table: table/duties/61.
func tablePrefix(k Kind) string { return "table/" + string(k) + "/" }

// split packs the rows of a table by chapter. The rows of a chapter keep their order.
func split(k Kind, rows [][]string) (pieces []Part, err error) {
	chapters := map[string][][]string{}
	for _, row := range rows {
		chapter := row[0][:chapterDigits]
		chapters[chapter] = append(chapters[chapter], row)
	}
	for chapter, rows := range chapters {
		packed, err := pack(rows)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, Part{Name: tablePrefix(k) + chapter, Packed: packed})
	}
	slices.SortFunc(pieces, byName)
	return pieces, nil
}

func byName(a, b Part) int { return strings.Compare(a.Name, b.Name) }

// changedParts returns the pieces to store in order to replace those that are held: the new and changed ones, and the ends
// of the others.
func changedParts(held, pieces []Part) (adds []Part) {
	was := map[string][]byte{}
	for _, h := range held {
		was[h.Name] = h.Packed
	}
	for _, p := range pieces {
		if packed, has := was[p.Name]; !has || !bytes.Equal(packed, p.Packed) {
			adds = append(adds, p)
		}
		delete(was, p.Name)
	}
	for name := range was {
		adds = append(adds, Part{Name: name})
	}
	slices.SortFunc(adds, byName)
	return adds
}

// rowsOf returns the rows of a table of an edition, of which the pieces are given. Older programs stored each table as a whole.
func rowsOf(ctx context.Context, from Store, t Table, parts []Part) (rows [][]string, err error) {
	pieces := piecesOf(t.Kind, parts)
	if len(pieces) == 0 {
		return fetch(ctx, from, t)
	}
	slices.SortFunc(pieces, byName)
	for _, p := range pieces {
		chapter, err := unpack(t.Kind, p.Packed)
		if err != nil {
			return nil, err
		}
		rows = append(rows, chapter...)
	}
	return rows, nil
}
