package official

import (
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

var errPartial = errors.New("official: the tariff is incomplete; nothing is imported")

// leastShare is the smallest size of a complete table in percent of the previous edition's:
// the tariff does not lose a tenth from one day to the next.
const leastShare = 90

// checkComplete refuses incomplete tables, even if all of their rows are valid.
func checkComplete(whole []part, before Edition) error {
	fetched := map[Kind]part{}
	for _, p := range whole {
		if was, ok := before.Table(p.Kind); ok && was.Source == p.Source && 100*p.Rows < leastShare*was.Rows {
			return fmt.Errorf("%w: %s has %d rows, and had %d", errPartial, p.Kind, p.Rows, was.Rows)
		}
		if p.fresh {
			fetched[p.Kind] = p
		}
	}
	for _, k := range []Kind{Nomenclature, Duties, VAT} {
		if _, ok := fetched[k]; !ok {
			return fmt.Errorf("%w: it has no %s", errPartial, k)
		}
	}
	return everyChapter(fetched[Nomenclature])
}

func everyChapter(p part) error {
	there := map[string]bool{}
	for _, row := range p.rows {
		there[row[0]] = true
	}
	own := tariff.EmbeddedTree()
	for i := range own.Len() {
		if code := own.At(i).Code; nomenclature.IsChapter(code) && !there[code] {
			return fmt.Errorf("%w: it has no chapter %s", errPartial, code[:2])
		}
	}
	return nil
}
