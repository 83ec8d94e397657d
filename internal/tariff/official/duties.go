package official

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// holdings are what an edition holds for the duty engine.
type holdings struct {
	Edition
	rows  tables // tables that are stored whole
	parts []part // tables that are stored in pieces
}

// partsOf returns the tables of an edition that are stored in pieces.
func partsOf(e Edition, pieces []Part) (parts []part) {
	for _, t := range e.Tables {
		if t.Kind.inPieces() {
			parts = append(parts, part{Table: t, pieces: piecesOf(t.Kind, pieces)})
		}
	}
	return parts
}

// editions are the tariffs of both services, for the duty engine.
func (h *holdings) editions(s *tariff.Snapshot) (duty.Editions, error) {
	recorded, err := readRecordings(h.of(Recordings).pieces)
	if err != nil {
		return duty.Editions{}, err
	}
	return h.editionsOf(s, recorded, book.New)
}

// readRecordings reads recorded answers, by service.
func readRecordings(parts []Part) (recorded map[string][]*recording.Recording, err error) {
	recorded = map[string][]*recording.Recording{}
	for _, p := range parts {
		r, err := readPart(p)
		if err != nil {
			return nil, err
		}
		recorded[r.Name.Service] = append(recorded[r.Name.Service], r)
	}
	return recorded, nil
}

// bookMaker is book.New or book.Outline.
type bookMaker func(book.Contents) (*book.Book, error)

// editionsOf makes tariffs of recorded answers, of the tables of a snapshot and of what is held.
func (h *holdings) editionsOf(s *tariff.Snapshot, recorded map[string][]*recording.Recording, newBook bookMaker) (e duty.Editions, err error) {
	e.ID = s.Version
	addCodes(s, slices.Concat(recorded[measure.UK], recorded[measure.XI]))
	uk, err := h.contents(measure.UK, s, recorded[measure.UK])
	if err != nil {
		return e, err
	}
	b, err := newBook(uk)
	if err != nil {
		return e, err
	}
	e.UK = &whole{b, s}
	xi, err := h.contents(measure.XI, s, recorded[measure.XI])
	if err != nil || xi.Table == nil && len(xi.Recordings) == 0 {
		return e, err
	}
	e.XI, err = newBook(xi)
	return e, err
}

// of returns a table that is stored in pieces; an empty one if the edition does not have it.
func (h *holdings) of(k Kind) *part {
	for i := range h.parts {
		if h.parts[i].Kind == k {
			return &h.parts[i]
		}
	}
	return &part{}
}

// contents are what is held of the tariff of a service. It is as of the newest of them.
func (h *holdings) contents(service string, s *tariff.Snapshot, recorded []*recording.Recording) (c book.Contents, err error) {
	var sources []string
	if service == measure.UK {
		c.Holding.AsOf, sources = s.AsOf, append(sources, s.Source)
	}
	if c.Table, err = h.measures(service, s); err != nil {
		return c, err
	}
	if c.Table != nil {
		c.Holding.AsOf, sources = max(c.Holding.AsOf, c.Table.Day.String()), append(sources, c.Table.Source)
	}
	if err := h.lists(service, &c); err != nil {
		return c, err
	}
	for _, r := range recorded {
		c.Holding.AsOf = max(c.Holding.AsOf, r.Name.Day.String())
	}
	if len(recorded) > 0 {
		sources = append(sources, recording.Publisher)
	}
	c.Recordings, c.Holding.Source = recorded, strings.Join(sources, ", ")
	return c, nil
}

// lists adds the reference lists of a service. The Meursing amounts are Northern Ireland's.
func (h *holdings) lists(service string, c *book.Contents) error {
	for _, row := range h.rows[Areas.of(service)] {
		c.Areas = append(c.Areas, book.Area{ID: row[0], Name: row[1], Members: strings.Fields(row[2])})
	}
	var err error
	if c.AreasDay, err = h.day(Areas.of(service)); err != nil {
		return err
	}
	asOf, err := h.day(Quotas.of(service))
	if err != nil {
		return err
	}
	if c.Quotas, err = quotasOf(h.rows[Quotas.of(service)], asOf); err != nil {
		return err
	}
	if c.Seasons, err = seasonsOf(h.rows[Seasons.of(service)]); err != nil || service != measure.XI {
		return err
	}
	c.Meursing, err = meursingAmounts(h.rows[MeursingAmounts])
	return err
}

// day is the day of a table; 0 if the edition does not have it.
func (h *holdings) day(k Kind) (measure.Day, error) {
	t, ok := h.Table(k)
	if !ok {
		return 0, nil
	}
	return measure.ParseDay(t.AsOf)
}

// measures returns the newest table of measures of a service; nil if there is none.
func (h *holdings) measures(service string, s *tariff.Snapshot) (*book.Measures, error) {
	t, ok := h.newestMeasures(service)
	if !ok {
		return nil, nil
	}
	newest := h.of(t.Kind)
	m := &book.Measures{Table: newest.table, Tree: s.Tree, Source: newest.Source, Quotas: service == measure.UK}
	var err error
	if m.Table == nil {
		if m.Table, err = unpackMeasures(newest.Kind, newest.pieces); err != nil {
			return nil, err
		}
	}
	m.Day, err = measure.ParseDay(newest.AsOf)
	m.Lacks = lacks(service, m.Table)
	return m, err
}

// kindsOf are the kinds of measures that a whole tariff has; Northern Ireland has its excise, VAT and quotas from the UK's.
var kindsOf = map[string][]measure.Kind{
	measure.UK: {measure.Preference, measure.Suspension, measure.QuotaDuty, measure.Remedy, measure.Excise, measure.VAT, measure.Control},
	measure.XI: {measure.Preference, measure.Suspension, measure.Remedy, measure.Control},
}

// lacks are the kinds of which a table has no measure at all: it is then not the whole tariff.
func lacks(service string, t *table.Table) (kinds []string) {
	for _, k := range kindsOf[service] {
		if !t.Holds(k) {
			kinds = append(kinds, duty.Lacks(k))
		}
	}
	return kinds
}

// holdsOf returns what the tariffs of both services hold. Rows of the UK's tables of duties, VAT and units are measures unless there
// is a table of measures.
func holdsOf(e duty.Editions, rows int) (h Holds) {
	if w, ok := e.UK.(*whole); ok {
		uk := w.Holding()
		h.UK, h.Measures = &uk, w.Measures()
		if w.Table() == nil {
			h.Measures += rows
		}
	}
	if b, ok := e.XI.(*book.Book); ok {
		xi := b.Holding()
		h.XI, h.Measures = &xi, h.Measures+b.Measures()
	}
	return h
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
		return duty.Goods{State: duty.CodeUnknown, Nearest: tree.Nearest(code)}
	}
	day := on.String()
	switch {
	case tree.BeginsAfter(code, day) || w.tables.Tariff.Begin(code) > day:
		return duty.Goods{State: duty.BeforeData}
	case !tree.Declarable(code, day):
		return duty.Goods{State: duty.CodeNotDeclarable, Below: tree.Below(at, day, mostBelow)}
	}
	return duty.Goods{Code: code, Import: w.measures(code, on), Lacks: lacking}
}

// mostBelow is the largest number of declarable codes that are named below one that is not.
const mostBelow = 50

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
