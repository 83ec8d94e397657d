package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Builder makes a table of rows in any order.
type Builder struct {
	t        *Table
	measures *set
	shapes   map[shape]uint32
	texts    [texts]index
	duties   index
	notes    index
	excluded index
	asked    index // conditions
	codes    index
	fresh    []string // codes that are not yet in the table
	days     map[string]measure.Day
	places   []place
	numbered *bool // whether the measures have numbers
}

// index numbers texts in the order in which they are first met.
type index map[string]uint32

// place is a measure on a code.
type place struct{ code, measure, line uint32 }

// maxMeasures is the largest number of measures, and a multiple of what a tariff has.
const maxMeasures = 4_000_000

var (
	errMany       = fmt.Errorf("the table has more than %d measures", maxMeasures)
	errUnnumbered = errors.New("has no number of the measure, as others have")
)

// NewBuilder returns a builder of an empty table.
func NewBuilder() *Builder {
	b := &Builder{t: newTable(), measures: newSet(), shapes: map[shape]uint32{}, days: map[string]measure.Day{}}
	for _, at := range []*index{&b.duties, &b.notes, &b.excluded, &b.asked, &b.codes} {
		*at = index{}
	}
	for i := range b.texts {
		b.texts[i] = index{}
	}
	return b
}

// Add adds a row: a measure on a code. The line is that of the file, for faults.
func (b *Builder) Add(cells []string, line int) error {
	at, err := b.measure(cells)
	if err != nil {
		return fmt.Errorf("code %s: %w", cells[cellCode], err)
	}
	b.describe(cells)
	b.place(cells[cellCode], at, line)
	return nil
}

// measure returns the index of the measure of a row.
func (b *Builder) measure(cells []string) (uint32, error) {
	m, err := b.row(cells)
	if err != nil {
		return 0, err
	}
	at, slot, known := b.measures.find(b.t.rows, m)
	if known {
		return at, nil
	}
	if len(b.t.rows) == maxMeasures {
		return 0, errMany
	}
	at = b.add(m)
	b.measures.put(b.t.rows, at, slot)
	return at, nil
}

func (b *Builder) add(m row) uint32 {
	b.t.rows = append(b.t.rows, m)
	return uint32(len(b.t.rows) - 1) // #nosec G115 -- at most maxMeasures
}

func (b *Builder) row(cells []string) (m row, err error) {
	if err := check(cells); err != nil {
		return m, err
	}
	if m.sid, err = number(cells[cellSID]); err != nil {
		return m, err
	}
	has := m.sid != 0
	if b.numbered == nil {
		b.numbered = &has
	}
	if *b.numbered && !has {
		return m, errUnnumbered
	}
	if m.from, m.to, err = b.period(cells[cellFrom], cells[cellTo]); err != nil {
		return m, err
	}
	m.shape, err = b.shape(cells)
	return m, err
}

func (b *Builder) period(first, last string) (from, to measure.Day, err error) {
	from, known := b.days[first]
	to, also := b.days[last]
	if known && also && from <= to {
		return from, to, nil
	}
	if from, to, err = period(first, last); err == nil {
		b.days[strings.Clone(first)] = from
		if last != "" {
			b.days[strings.Clone(last)] = to
		}
	}
	return from, to, err
}

// shape returns the index of everything of a measure but its number and its days.
func (b *Builder) shape(cells []string) (uint32, error) {
	s := shape{reduction: reduction(cells[cellReduction])}
	for i, cell := range textCells {
		s.texts[i] = b.texts[i].of(cells[cell], func(text string) error {
			b.t.texts[i] = append(b.t.texts[i], text)
			return nil
		}).at
	}
	for _, part := range []struct {
		to    *uint32
		index index
		cell  int
		add   func(text string) error
	}{
		{&s.duty, b.duties, cellDuty, b.t.addDuty}, {&s.asked, b.asked, cellConditions, b.t.addConditions},
		{&s.excluded, b.excluded, cellExcluded, b.t.addExcluded}, {&s.notes, b.notes, cellFootnotes, b.t.addNotes},
	} {
		found := part.index.of(cells[part.cell], part.add)
		if found.err != nil {
			return 0, found.err
		}
		*part.to = found.at
	}
	at, known := b.shapes[s]
	if !known {
		at = uint32(len(b.t.shapes)) // #nosec G115 -- at most one for each measure
		b.shapes[s] = at
		b.t.shapes = append(b.t.shapes, s)
	}
	return at, nil
}

func reduction(text string) uint32 {
	if text == "" {
		return 0
	}
	return uint32(text[0] - '0')
}

// numberedText is the number of a text, or why it was not added.
type numberedText struct {
	at  uint32
	err error
}

// of returns the number of a text, which add adds if it is new.
func (i index) of(text string, add func(text string) error) numberedText {
	if at, known := i[text]; known {
		return numberedText{at: at}
	}
	text = strings.Clone(text)
	if err := add(text); err != nil {
		return numberedText{err: err}
	}
	at := uint32(len(i)) // #nosec G115 -- at most one for each cell
	i[text] = at
	return numberedText{at: at}
}

// describe keeps what the row says about the things that it names.
func (b *Builder) describe(cells []string) {
	d := &b.t.details
	for _, about := range []struct {
		of         map[string]string
		code, text int
	}{
		{d.Types, cellType, cellTypeText}, {d.Areas, cellArea, cellAreaText}, {d.Additional, cellAdditional, cellAdditionalText},
	} {
		code, text := cells[about.code], cells[about.text]
		if _, known := about.of[code]; !known && code != "" && text != "" {
			about.of[strings.Clone(code)] = strings.Clone(text)
		}
	}
	if id, url := cells[cellAct], cells[cellURL]; id != "" && d.Acts[id].URL == "" {
		if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
			url = ""
		}
		id = strings.Clone(id)
		d.Acts[id] = measure.LegalAct{ID: id, Code: id, URL: strings.Clone(url)}
	}
}

func (b *Builder) place(code string, at uint32, line int) {
	n := b.codes.of(code, func(code string) error {
		b.fresh = append(b.fresh, code)
		return nil
	}).at
	b.places = append(b.places, place{n, at, uint32(line)}) // #nosec G115 -- lines of a file that is limited
}

// Fault is a line that contradicts another one.
type Fault struct {
	Line int
	Err  error
}

// Table returns the table, and the lines that contradict others: a measure stands on a code on one day with two contents.
func (b *Builder) Table() (*Table, []Fault) {
	faults := b.flush()
	t := b.t
	t.from = append(t.from, uint32(len(t.on))) // #nosec G115 -- at most one for each line
	t.on, t.rows = slices.Clip(t.on), slices.Clip(t.rows)
	t.sort()
	b.places, b.measures, b.shapes = nil, nil, nil
	slices.SortFunc(faults, func(a, o Fault) int { return cmp.Compare(a.Line, o.Line) })
	return t, faults
}

// flush moves the places into the table. Their codes must come after those that the table has.
func (b *Builder) flush() (faults []Fault) {
	b.sortCodes()
	slices.SortFunc(b.places, func(a, o place) int {
		return cmp.Or(cmp.Compare(a.code, o.code), cmp.Compare(a.measure, o.measure), cmp.Compare(a.line, o.line))
	})
	t := b.t
	for i := 0; i < len(b.places); {
		end := i
		for end < len(b.places) && b.places[end].code == b.places[i].code {
			end++
		}
		faults = append(faults, b.contradictions(b.places[i:end])...)
		t.from = append(t.from, uint32(len(t.on))) // #nosec G115 -- at most one for each line
		for n, p := range b.places[i:end] {
			if n == 0 || p.measure != b.places[i+n-1].measure {
				t.on = append(t.on, p.measure)
			}
		}
		i = end
	}
	b.places = b.places[:0]
	return faults
}

// sortCodes adds the new codes to those of the table, and numbers them in their order.
func (b *Builder) sortCodes() {
	sorted := slices.Sorted(slices.Values(b.fresh))
	to := make([]uint32, len(sorted))
	for old, code := range b.fresh {
		at, _ := slices.BinarySearch(sorted, code)
		to[old] = uint32(len(b.t.codes) + at) // #nosec G115 -- at most one for each line
	}
	for i := range b.places {
		b.places[i].code = to[b.places[i].code]
	}
	b.t.codes = append(b.t.codes, sorted...)
	b.fresh, b.codes = b.fresh[:0], index{}
}

// contradictions are the lines of one code with a measure of which another line says something else.
func (b *Builder) contradictions(places []place) (faults []Fault) {
	sorted := slices.Clone(places)
	sid := func(p place) int64 { return b.t.rows[p.measure].sid }
	slices.SortStableFunc(sorted, func(a, o place) int { return cmp.Compare(sid(a), sid(o)) })
	for i := 1; i < len(sorted); i++ {
		one, other := sorted[i-1], sorted[i]
		if sid(one) == 0 || sid(one) != sid(other) || one.measure == other.measure {
			continue
		}
		if a, o := b.t.rows[one.measure], b.t.rows[other.measure]; a.overlaps(o) && b.t.sameKind(&a, &o) {
			err := fmt.Errorf("code %s: the measure %d stands there twice, with different contents", b.t.codes[one.code], a.sid)
			faults = append(faults, Fault{int(max(one.line, other.line)), err})
		}
	}
	return faults
}

// addDuty adds a duty, which may have seasons.
func (t *Table) addDuty(text string) error {
	components, err := parseDuty(text)
	d := duty{text: text, components: components}
	if err != nil {
		seasons, failed := tariff.ParsePublished(text)
		if failed != nil {
			return err
		}
		d = duty{text: text, seasons: &seasons}
	}
	t.duties = append(t.duties, d)
	return nil
}

func (t *Table) addConditions(text string) error {
	all, err := ParseConditions(text)
	t.asked = append(t.asked, asked{text, all})
	if err != nil {
		t.asked = t.asked[:len(t.asked)-1]
	}
	return err
}

func (t *Table) addExcluded(text string) error {
	t.excluded = append(t.excluded, list(text))
	return nil
}

func (t *Table) addNotes(text string) error {
	t.notes = append(t.notes, list(text))
	return nil
}
