package official

import (
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

// readListed reads the measures of a chapter in the publisher's tables.
func (s *side) readListed(ctx context.Context, chapter string) error {
	s.pieces, s.listed = map[string]Part{}, map[string]*table.Table{}
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
		if s.listed[service], err = unpackMeasures(t.Kind, []Part{s.pieces[service]}); err != nil {
			return err
		}
	}
	return nil
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
	t, codes := s.listed[service], []string{code}
	if above {
		codes = Above(code)
	}
	if t == nil || !t.HasAny(codes) {
		return nil, false, nil
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

// lists reports whether the publisher's table has measures on a code of the chapter.
func (s *side) lists(service, code string) bool {
	t := s.listed[service]
	return t != nil && t.Has(code)
}

// listedCodes are the codes of the chapter in the publisher's tables that may have changes.
func (c *Comparison) listedCodes(service string) (codes []string, err error) {
	a, b := c.sides[0], c.sides[1]
	if a.tables[service].Kind == b.tables[service].Kind {
		return table.Differ(a.pieces[service].Packed, b.pieces[service].Packed)
	}
	for i, s := range c.sides {
		if t := s.listed[service]; t != nil && !(s.placing(service) == defined && c.sides[1-i].onEach(service)) {
			codes = append(codes, t.Codes()...)
		}
	}
	return codes, nil
}

// onEach reports whether the edition has measures on each declarable code of the chapter: another one, of which the measures are where
// they are defined, is compared with it on these codes.
func (s *side) onEach(service string) bool {
	switch s.placing(service) {
	case declarable:
		return s.listed[service] != nil
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
