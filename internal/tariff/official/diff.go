package official

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Filter selects changes; its zero value selects all.
type Filter struct {
	Code string // with which commodity codes begin
	Type string // of measures
	Day  string // on which measures are compared that are in force; all measures if it is empty
}

// Comparison compares two editions code by code, so that neither is held in memory.
type Comparison struct {
	From, To Edition // the zero value is the embedded table
	filter   Filter
	sides    [2]*side
}

// Compare prepares the comparison of two editions; 0 is the embedded table. ErrNoEdition if one is not kept.
func Compare(ctx context.Context, in Store, from, to int64, f Filter) (*Comparison, error) {
	c := &Comparison{filter: f}
	for i, version := range []int64{from, to} {
		s, err := newSide(ctx, in, version, f.Day)
		if err != nil {
			return nil, err
		}
		c.sides[i] = s
	}
	c.From, c.To = c.sides[0].edition, c.sides[1].edition
	return c, nil
}

// Walk calls visit for each change, by code, type and number, from a commodity code on. It ends at an error of visit.
func (c *Comparison) Walk(ctx context.Context, first string, visit func(difference.Change) error) error {
	recorded := c.changedRecordings()
	for _, chapter := range c.chapters(recorded) {
		if !overlaps(chapter, c.filter.Code) || chapter < first[:min(len(first), chapterDigits)] {
			continue
		}
		codes, err := c.codes(ctx, chapter, recorded)
		if err != nil {
			return err
		}
		for _, code := range codes {
			if code < first || !strings.HasPrefix(code, c.filter.Code) {
				continue
			}
			if err := c.visit(ctx, code, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// overlaps reports whether a code of a chapter can begin with some digits.
func overlaps(chapter, digits string) bool {
	return strings.HasPrefix(digits, chapter) || strings.HasPrefix(chapter, digits)
}

func (c *Comparison) visit(ctx context.Context, code string, visit func(difference.Change) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var measures [2][]difference.Measure
	above := map[string]bool{}
	for _, service := range services {
		above[service] = c.above(service, code)
	}
	for i, s := range c.sides {
		var err error
		if measures[i], err = s.measures(ctx, code, above); err != nil {
			return err
		}
	}
	for _, change := range difference.Compare(measures[0], measures[1]) {
		if c.filter.Type != "" && change.Of().Type != c.filter.Type {
			continue
		}
		if err := visit(change); err != nil {
			return err
		}
	}
	return nil
}

// above reports whether measures of the lines above a code count for it: an answer has them too, and a side of which the measures
// are where they are defined is compared with one that has them on each code. The UK's rows can be on lines above.
func (c *Comparison) above(service, code string) bool {
	a, b := c.sides[0], c.sides[1]
	if a.has(service, code) || b.has(service, code) {
		return true
	}
	one, other := a.placing(service), b.placing(service)
	return one != other && (service == measure.UK || one != nowhere && other != nowhere)
}

// changedRecordings returns the codes whose recorded answers differ between the editions, or count in one of them only, by chapter.
func (c *Comparison) changedRecordings() map[string][]string {
	codes := map[string]bool{}
	for i, s := range c.sides {
		other := c.sides[1-i]
		for name, came := range s.index {
			if strings.HasPrefix(name, recordingPrefix) && other.index[name] != came {
				n, _ := parseRecordingName(name) // was parsed when the side was made
				codes[n.Code] = true
			}
		}
	}
	for _, s := range c.sides {
		for code := range s.recordings {
			codes[code] = codes[code] || slices.ContainsFunc(services, func(service string) bool {
				return c.sides[0].tableFirst(service, code) != c.sides[1].tableFirst(service, code)
			})
		}
	}
	maps.DeleteFunc(codes, func(_ string, changed bool) bool { return !changed })
	byChapter := map[string][]string{}
	for code := range codes {
		byChapter[code[:chapterDigits]] = append(byChapter[code[:chapterDigits]], code)
	}
	return byChapter
}

// chapters returns all chapters that may have changes, sorted.
func (c *Comparison) chapters(recorded map[string][]string) (all []string) {
	for n := range 100 {
		chapter := string([]byte{'0' + byte(n/10), '0' + byte(n%10)})
		if recorded[chapter] != nil || c.tablesDiffer(chapter) {
			all = append(all, chapter)
		}
	}
	return all
}

// tablesDiffer reports whether the editions may hold different rows of a chapter.
func (c *Comparison) tablesDiffer(chapter string) bool {
	return slices.ContainsFunc(rowKinds, func(k Kind) bool { return c.sides[0].source(k, chapter) != c.sides[1].source(k, chapter) }) ||
		slices.ContainsFunc(services, func(service string) bool {
			return c.sides[0].listedSource(service, chapter) != c.sides[1].listedSource(service, chapter)
		})
}

// listedSource identifies what a chapter of the publisher's table of a service is read from; zero for nothing.
func (s *side) listedSource(service, chapter string) source {
	k := s.tables[service].Kind
	if came, has := s.index[tablePrefix(k)+chapter]; has {
		return source{string(k), came}
	}
	return source{}
}

// source identifies what a chapter of a table is read from.
type source struct {
	kind    string
	version int64
}

func (s *side) source(k Kind, chapter string) source {
	name := tablePrefix(k) + chapter
	t, has := s.edition.Table(k)
	switch {
	case !has:
		return source{"embedded", 0}
	case s.chapters[k]:
		return source{"chapter", s.index[name]}
	}
	return source{"table", t.Version}
}

// codes returns the codes of a chapter that may have changes, sorted.
func (c *Comparison) codes(ctx context.Context, chapter string, recorded map[string][]string) ([]string, error) {
	codes := slices.Clone(recorded[chapter])
	if c.tablesDiffer(chapter) {
		for _, s := range c.sides {
			if err := s.readChapter(ctx, chapter); err != nil {
				return nil, err
			}
		}
		for _, service := range services {
			listed, err := c.listedCodes(service)
			if err != nil {
				return nil, err
			}
			codes = append(codes, listed...)
		}
		rows, err := c.rowCodes()
		if err != nil {
			return nil, err
		}
		codes = append(codes, rows...)
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// rowCodes are the codes of the chapter's rows. Those of a code that both editions have in recorded answers or in the publisher's
// table count for neither.
func (c *Comparison) rowCodes() (codes []string, err error) {
	for _, s := range c.sides {
		for code := range s.rows {
			without, err := c.without(code)
			if err != nil {
				return nil, err
			}
			if without {
				codes = append(codes, code)
			}
		}
	}
	return codes, nil
}

// without reports whether one of the editions has a code of the UK neither in recorded answers nor in the publisher's table.
func (c *Comparison) without(code string) (bool, error) {
	for _, s := range c.sides {
		if s.has(measure.UK, code) {
			continue
		}
		if lists, err := s.lists(measure.UK, code); err != nil || !lists {
			return true, err
		}
	}
	return false, nil
}

// keptEdition returns an edition; ErrNoEdition if it is not kept.
func keptEdition(ctx context.Context, from Store, version int64) (Edition, error) {
	e, err := edition(ctx, from, version)
	if errors.Is(err, errGone) {
		return e, ErrNoEdition
	}
	return e, err
}
