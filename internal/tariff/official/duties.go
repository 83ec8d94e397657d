package official

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// editions are the tariffs of both services, for the duty engine.
func editions(s *tariff.Snapshot, parts []Part) (duty.Editions, error) {
	recorded := map[string][]*recording.Recording{}
	for _, p := range parts {
		if !strings.HasPrefix(p.Name, recordingPrefix) {
			continue
		}
		r, err := readPart(p)
		if err != nil {
			return duty.Editions{}, err
		}
		recorded[r.Name.Service] = append(recorded[r.Name.Service], r)
	}
	e := duty.Editions{ID: s.Version}
	holding := duty.Holding{AsOf: s.AsOf, Source: s.Source}
	if len(recorded[measure.UK]) > 0 {
		holding.Source += ", " + recording.Publisher
	}
	b, err := bookOf(recorded[measure.UK], holding)
	if err != nil {
		return e, err
	}
	e.UK = &whole{b, s}
	if all := recorded[measure.XI]; len(all) > 0 {
		if e.XI, err = bookOf(all, duty.Holding{Source: recording.Publisher}); err != nil {
			return e, err
		}
	}
	return e, nil
}

func readPart(p Part) (*recording.Recording, error) {
	name, err := parseRecordingName(p.Name)
	if err != nil {
		return nil, err
	}
	document, err := expand(p.Packed)
	if err != nil {
		return nil, err
	}
	return recording.Read(name, document)
}

// bookOf makes a book of recordings. It is as of the newest one, if that is newer than the rest.
func bookOf(all []*recording.Recording, rest duty.Holding) (*book.Book, error) {
	for _, r := range all {
		rest.AsOf = max(rest.AsOf, r.Name.Day.String())
	}
	return book.New(book.Contents{Holding: rest, Recordings: all})
}

// whole is the UK's tariff: recorded answers, and the tables of third-country duties and VAT for the codes without one.
type whole struct {
	*book.Book
	tables *tariff.Snapshot
}

// lacking are the kinds of measures that the tables do not hold.
var lacking = []string{"PREFERENCE", "SUSPENSION", "QUOTA", "REMEDY", "EXCISE", "CONTROL"}

// Goods returns what is held of a commodity code.
func (w *whole) Goods(code, origin string, on measure.Day) duty.Goods {
	if w.Has(code) {
		return w.Book.Goods(code, origin, on)
	}
	tree := w.tables.Tree
	at, found := tree.Find(code)
	if !found {
		return duty.Goods{State: duty.CodeUnknown, Nearest: nearest(tree, code)}
	}
	if !tree.Declarable(code, on.String()) {
		return duty.Goods{State: duty.CodeNotDeclarable, Below: below(tree, at, on.String())}
	}
	return duty.Goods{Code: code, Import: w.measures(code, on), Lacks: lacking}
}

// nearest is the nearest code above one that the nomenclature has; empty if there is none.
func nearest(tree *nomenclature.Tree, code string) string {
	for digits := len(code) - 1; digits >= 2; digits-- {
		if above := padded(code[:digits]); digits%2 == 0 {
			if _, ok := tree.Find(above); ok {
				return above
			}
		}
	}
	return ""
}

// mostBelow is the largest number of declarable codes that are named below one that is not.
const mostBelow = 50

// below returns the declarable codes below a line, in the order of the nomenclature.
func below(tree *nomenclature.Tree, at int, day string) (codes []string) {
	depth := tree.At(at).Depth()
	for i := at + 1; i < tree.Len() && tree.At(i).Depth() > depth && len(codes) < mostBelow; i++ {
		if n := tree.At(i); n.Declarable && n.InForce(day) {
			codes = append(codes, n.Code)
		}
	}
	return codes
}

// measures are the third-country duties and the VAT of a code, as measures. They have no numbers.
func (w *whole) measures(code string, on measure.Day) (all []measure.Measure) {
	day := on.String()
	for _, rate := range w.tables.Tariff.Duties(code, day) {
		components, err := measure.ParseDuty(rate.Duty.TextOn(on.Date()))
		if err != nil {
			components = nil // a duty in a unit that the engine does not know: its amount is not known
		}
		all = append(all, measure.Measure{Code: code, Type: thirdCountryDuty, Area: allTheWorld, Additional: rate.Additional, Components: components})
	}
	for _, rate := range w.tables.Tariff.VATRates(code, day) {
		amount := big.NewRat(int64(rate.Rate), 1)
		all = append(all, measure.Measure{
			Code: code, Type: valueAddedTax, Area: allTheWorld, Additional: vatCodes[rate.Rate],
			Components: []measure.Component{{Expression: "01", Amount: amount}},
		})
	}
	if unit := w.tables.Tariff.Unit(code); unit != "" {
		all = append(all, measure.Measure{Code: code, Type: "109", Area: allTheWorld, Components: []measure.Component{{Expression: "99", Unit: unit}}})
	}
	return all
}

// vatCodes are the national additional codes (DE 6/17) of VAT by rate; the standard rate has none.
var vatCodes = map[int]string{5: "VATR", 0: "VATZ"}
