package official

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// other is an edition besides the one in force, of which only an outline is held in memory.
type other struct {
	sync.Mutex
	stamp   Stamp // of what was in force then: an import or a restore may remove the edition
	edition Edition
	index   map[string]int64
	uk, xi  *book.Book                        // outlines; xi is nil if the edition does not hold it
	answers map[string][]*recording.Recording // recorded answers without measures, by chapter
}

// EditionsAt returns a kept edition for the duty engine, with the measures of commodity codes; ErrNoEdition if it is not kept.
// Of an edition that is not in force, the measures are read from the store, and the engine knows those of the codes only.
func (l *Library) EditionsAt(ctx context.Context, from Store, version int64, codes []string) (duty.Editions, error) {
	if version == l.version() {
		return l.Editions(), nil
	}
	if version == 0 {
		return embeddedEditions(), nil
	}
	l.other.Lock()
	defer l.other.Unlock()
	o := &l.other
	if err := o.refresh(ctx, from, version); err != nil {
		return duty.Editions{}, err
	}
	s, err := o.snapshot(ctx, from, codes)
	if err != nil {
		return duty.Editions{}, err
	}
	recorded, err := o.read(ctx, from, codes)
	if err != nil {
		return duty.Editions{}, err
	}
	uk, err := o.measures(ctx, from, measure.UK, s, codes)
	if err != nil {
		return duty.Editions{}, err
	}
	e := duty.Editions{ID: version, UK: &whole{o.uk.With(recorded[measure.UK], uk), s}}
	if o.xi == nil {
		return e, nil
	}
	xi, err := o.measures(ctx, from, measure.XI, s, codes)
	if err != nil {
		return duty.Editions{}, err
	}
	e.XI = o.xi.With(recorded[measure.XI], xi)
	return e, nil
}

// measures reads the publisher's table of a service for the chapters of some codes; nil if the edition has none.
func (o *other) measures(ctx context.Context, from Store, service string, s *tariff.Snapshot, codes []string) (*book.Measures, error) {
	outline := o.uk.Table()
	if service == measure.XI {
		outline = o.xi.Table()
	}
	if outline == nil {
		return nil, nil
	}
	t, _ := o.edition.newestMeasures(service)
	chapters := chaptersOf(codes)
	pieces, err := o.pieces(ctx, from, t.Kind, func(name string) bool { return chapters[name] })
	if err != nil {
		return nil, err
	}
	m := *outline
	m.Tree = s.Tree
	m.Table, err = unpackMeasures(t.Kind, pieces)
	return &m, err
}

// pieces reads some pieces of a table, by name.
func (o *other) pieces(ctx context.Context, from Store, k Kind, some func(name string) bool) (pieces []Part, err error) {
	for _, name := range slices.Sorted(maps.Keys(o.index)) {
		own, of := strings.CutPrefix(name, tablePrefix(k))
		if !of || !some(own) {
			continue
		}
		packed, err := from.TariffPart(ctx, name, o.index[name])
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, Part{name, packed})
	}
	return pieces, nil
}

// chaptersOf are the chapters of codes.
func chaptersOf(codes []string) map[string]bool {
	chapters := map[string]bool{}
	for _, code := range codes {
		chapters[padded(code)[:chapterDigits]] = true
	}
	return chapters
}

// refresh makes the outline of an edition, unless it is the one that is held. Each recorded answer is read once.
func (o *other) refresh(ctx context.Context, from Store, version int64) error {
	stamp, err := from.TariffStamp(ctx)
	if err != nil || o.uk != nil && o.edition.Version == version && o.stamp == stamp {
		return err
	}
	o.uk, o.xi = nil, nil
	if o.edition, err = keptEdition(ctx, from, version); err != nil {
		return err
	}
	if o.index, err = from.TariffIndex(ctx, version); err != nil {
		return err
	}
	recorded, err := o.outlines(ctx, from)
	if err != nil {
		return err
	}
	s, err := build(o.edition, tables{})
	if err != nil {
		return err
	}
	h, err := o.holdings(ctx, from)
	if err != nil {
		return err
	}
	e, err := h.editionsOf(s, recorded, book.Outline)
	if err != nil {
		return err
	}
	o.stamp, o.uk = stamp, e.UK.(*whole).Book
	o.xi, _ = e.XI.(*book.Book)
	return nil
}

// holdings reads the reference lists, and the descriptions of the tables of measures.
func (o *other) holdings(ctx context.Context, from Store) (h *holdings, err error) {
	h = &holdings{Edition: o.edition, rows: tables{}}
	for _, t := range o.edition.Tables {
		switch {
		case t.Kind.isList():
			h.rows[t.Kind], err = fetch(ctx, from, t)
		case t.Kind != Recordings && t.Kind.inPieces():
			p := part{Table: t}
			p.pieces, err = o.pieces(ctx, from, t.Kind, func(name string) bool { return name == table.Words })
			h.parts = append(h.parts, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

// outlines reads all recorded answers, by service, of which the measures are dropped.
func (o *other) outlines(ctx context.Context, from Store) (recorded map[string][]*recording.Recording, err error) {
	recorded, o.answers = map[string][]*recording.Recording{}, map[string][]*recording.Recording{}
	for _, name := range slices.Sorted(maps.Keys(o.index)) {
		if !strings.HasPrefix(name, recordingPrefix) {
			continue
		}
		r, err := readNamed(ctx, from, name, o.index[name])
		if err != nil {
			return nil, err
		}
		r.Import, r.Export = nil, nil
		recorded[r.Name.Service] = append(recorded[r.Name.Service], r)
		chapter := r.Code[:chapterDigits]
		o.answers[chapter] = append(o.answers[chapter], &recording.Recording{Name: r.Name, Code: r.Code, Lines: r.Lines})
	}
	return recorded, nil
}

func readNamed(ctx context.Context, from Store, name string, came int64) (*recording.Recording, error) {
	packed, err := from.TariffPart(ctx, name, came)
	if err != nil {
		return nil, err
	}
	return readPart(Part{Name: name, Packed: packed})
}

// read reads the recorded answers for some codes, by service.
func (o *other) read(ctx context.Context, from Store, codes []string) (recorded map[string][]*recording.Recording, err error) {
	recorded = map[string][]*recording.Recording{}
	for name, came := range o.index {
		n, err := parseRecordingName(name)
		if err != nil || !slices.ContainsFunc(codes, func(code string) bool { return padded(code) == n.Code }) {
			continue // a piece of a table, or not asked for
		}
		r, err := readNamed(ctx, from, name, came)
		if err != nil {
			return nil, err
		}
		recorded[n.Service] = append(recorded[n.Service], r)
	}
	return recorded, nil
}

// snapshot builds the tables for the chapters of some codes.
func (o *other) snapshot(ctx context.Context, from Store, codes []string) (*tariff.Snapshot, error) {
	chapters := chaptersOf(codes)
	some := tables{}
	for _, t := range o.edition.Tables {
		if !slices.Contains(splitKinds, t.Kind) {
			continue
		}
		rows, err := o.rows(ctx, from, t, chapters)
		if err != nil {
			return nil, err
		}
		some[t.Kind] = rows
	}
	s, err := build(o.edition, some)
	if err != nil {
		return nil, err
	}
	var answers []*recording.Recording
	for _, chapter := range slices.Sorted(maps.Keys(chapters)) {
		answers = append(answers, o.answers[chapter]...)
	}
	addCodes(s, answers)
	return s, nil
}

// rows returns the rows of a table for chapters, in the order of the table.
func (o *other) rows(ctx context.Context, from Store, t Table, chapters map[string]bool) ([][]string, error) {
	split := false
	parts, err := o.pieces(ctx, from, t.Kind, func(chapter string) bool {
		split = true
		return chapters[chapter]
	})
	if err != nil || split && parts == nil {
		return nil, err
	}
	rows, err := rowsOf(ctx, from, t, parts)
	return slices.DeleteFunc(rows, func(row []string) bool { return !chapters[row[0][:chapterDigits]] }), err
}
