package official

import (
	"bytes"
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// services are those whose tariffs an edition can hold.
var services = []string{measure.UK, measure.XI}

// placing is on which codes a table of measures has a measure.
type placing int

const (
	nowhere    placing = iota
	declarable         // on each declarable code that it holds for
	defined            // on the code where it is defined, above the others
)

func (s *side) placing(service string) placing {
	t, ok := s.tables[service]
	switch {
	case !ok:
		return nowhere
	case t.Kind == Measures.of(service):
		return declarable
	}
	return defined
}

// altered is how the piece of a chapter in the publisher's table differs from that of the other side.
type altered struct {
	only *table.Table    // the rows that the other side does not have
	held map[string]bool // the codes with rows
}

// readPieces reads the pieces of a chapter in the publisher's tables.
func (s *side) readPieces(ctx context.Context, chapter string) error {
	s.pieces, s.listed, s.altered = map[string]Part{}, map[string]*table.Table{}, map[string]altered{}
	for service, t := range s.tables {
		name := tablePrefix(t.Kind) + chapter
		came, has := s.index[name]
		if !has {
			continue
		}
		packed, err := s.from.TariffPart(ctx, name, came)
		if err != nil {
			return err
		}
		s.pieces[service] = Part{name, packed}
	}
	return nil
}

// measuresOf returns the measures of the chapter in the publisher's table of a service; nil if it has none.
func (s *side) measuresOf(service string) (*table.Table, error) {
	piece, has := s.pieces[service]
	if !has || s.listed[service] != nil {
		return s.listed[service], nil
	}
	t, err := unpackMeasures(s.tables[service].Kind, []Part{piece})
	if err == nil {
		s.listed[service] = t
	}
	return t, err
}

// held returns the measures of a service for a code: those of its newest recorded answer, or of the publisher's table if that is
// newer. False if there is neither.
func (s *side) held(ctx context.Context, service, code string, above bool) (all []difference.Measure, held bool, err error) {
	listed, tabled, err := s.inTable(ctx, service, code, above)
	if err != nil {
		return nil, false, err
	}
	day := ""
	if tabled {
		day = s.tables[service].AsOf
	}
	all, whole, err := s.recorded(ctx, service, code, day)
	if err != nil || whole || !tabled {
		return all, s.has(service, code), err
	}
	answered := map[int64]bool{0: false}
	for i := range all {
		answered[all[i].SID] = all[i].SID != 0
	}
	for _, m := range listed {
		if !answered[m.SID] && m.InForce(s.day) {
			all = append(all, m)
		}
	}
	return all, true, nil
}

// inTable returns the measures of the publisher's table on a code, or also on the lines above it; false if there are none.
func (s *side) inTable(ctx context.Context, service, code string, above bool) (all []difference.Measure, tabled bool, err error) {
	if _, ok := s.tables[service]; !ok {
		return nil, false, nil
	}
	if err := s.readChapter(ctx, code[:chapterDigits]); err != nil {
		return nil, false, err
	}
	t, codes, tabled, err := s.onCode(service, code, above)
	if err != nil || !tabled {
		return nil, false, err
	}
	for _, l := range t.All(codes) {
		m := difference.Of(service, code, &l.Measure)
		if l.Seasonal != "" {
			m.Duty = l.Seasonal
		}
		all = append(all, m)
	}
	return all, true, nil
}

// onCode returns the table with the measures on a code, and the codes that they stand on: of compared pieces it is what differs, as
// what both sides have is no change. False if the publisher's table has no measures on these codes.
func (s *side) onCode(service, code string, above bool) (t *table.Table, codes []string, tabled bool, err error) {
	if d, compared := s.altered[service]; compared && !above {
		return d.only, []string{code}, d.held[code], nil
	}
	codes = []string{code}
	if above {
		codes = Above(code)
	}
	if t, err = s.measuresOf(service); err != nil || t == nil {
		return nil, nil, false, err
	}
	return t, codes, t.HasAny(codes), nil
}

// lists reports whether the publisher's table has measures on a code of the chapter.
func (s *side) lists(service, code string) (bool, error) {
	if d, compared := s.altered[service]; compared {
		return d.held[code], nil
	}
	t, err := s.measuresOf(service)
	return t != nil && t.Has(code), err
}

// listedCodes are the codes of the chapter in the publisher's tables that may have changes.
func (c *Comparison) listedCodes(service string) (codes []string, err error) {
	a, b := c.sides[0], c.sides[1]
	if a.tables[service].Kind == b.tables[service].Kind {
		return c.compare(service)
	}
	for i, s := range c.sides {
		t, err := s.measuresOf(service)
		if err != nil {
			return nil, err
		}
		if t != nil && !(s.placing(service) == defined && c.sides[1-i].onEach(service)) {
			codes = append(codes, t.Codes()...)
		}
	}
	return codes, nil
}

// compare returns the codes on which the pieces of the chapter in both tables may differ, and keeps how they differ.
func (c *Comparison) compare(service string) ([]string, error) {
	one, other := c.sides[0].pieces[service].Packed, c.sides[1].pieces[service].Packed
	if bytes.Equal(one, other) {
		return nil, nil
	}
	d, err := table.Differ(one, other)
	if err != nil {
		return nil, err
	}
	for i, s := range c.sides {
		s.altered[service] = altered{d.Only[i], d.Held[i]}
	}
	return d.Codes, nil
}

// onEach reports whether the edition has measures on each declarable code of the chapter: another one, of which the measures are where
// they are defined, is compared with it on these codes.
func (s *side) onEach(service string) bool {
	switch s.placing(service) {
	case declarable:
		_, has := s.pieces[service]
		return has
	case nowhere:
		return service == measure.UK && len(s.rows) > 0
	}
	return false
}

// tableFirst reports whether the table of a service is newer than the newest whole answer for a code.
func (s *side) tableFirst(service, code string) bool {
	t, ok := s.tables[service]
	at := slices.IndexFunc(s.recordings[code], func(n recording.Name) bool {
		return n.Service == service && n.Country == "" && (s.day == "" || n.Day.String() <= s.day)
	})
	return ok && (at < 0 || s.recordings[code][at].Day.String() < t.AsOf)
}
