package raw

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Set are the raw tables of one import.
type Set struct {
	tables map[string]*things
	files  map[string]string // names of the files of the tables

	measures           []rawMeasure
	components         []component // of measures
	ofIf               []component // of conditions
	conditions         []condition
	excluded           []pair
	notes              []pair
	definitions        []definition
	blocked, suspended []stop
	texts              map[string]string
}

// New returns an empty set.
func New() *Set {
	return &Set{tables: map[string]*things{}, files: map[string]string{}, texts: map[string]string{}}
}

// Empty reports whether no table was read.
func (s *Set) Empty() bool { return len(s.files) == 0 }

// number is the number of a version of a thing; 0 for none.
type number uint32

// things are the rows of a table, by version.
type things struct {
	rows   map[number][]string
	newest map[string]number // of those with several versions, by what they are
}

// rawMeasure is a version of a measure.
type rawMeasure struct {
	version, typ, area, goods, additional, order, act number
	sid                                               int64
	from, to                                          measure.Day
	rare                                              *rare // nil for most
	line                                              int32
}

// rare is what few measures have: codes that are no longer in their tables, and the reduction indicator.
type rare struct{ additional, order, reduction string }

// component is a version of a component of a measure or of a condition.
type component struct {
	version, of, expression, currency, measurement number
	amount                                         string
	line                                           int32
}

// condition is a version of a condition.
type condition struct {
	component
	sid                 int64
	code, action, paper number
	sequence            int32
	place               uint32 // among the newest conditions, once they are settled
}

// pair is a version of what a measure excludes or is footnoted with.
type pair struct {
	version, of, to number
	line            int32
}

var (
	errNumber = errors.New("must be a number")
	errTwice  = errors.New("is the same raw table as another file")
)

// Open begins a table. The error is that of a table that was read before.
func (s *Set) Open(name, file string) error {
	if was, twice := s.files[name]; twice {
		return fmt.Errorf("%w: %s, %s", errTwice, was, name)
	}
	s.files[name] = file
	s.tables[name] = &things{rows: map[number][]string{}, newest: map[string]number{}}
	return nil
}

// Take reads a row with the cells of Columns.
func (s *Set) Take(name string, cells []string, line int) error {
	v, err := parseNumber(cells[0])
	if err == nil && v == 0 {
		err = errNumber
	}
	if err != nil {
		return fmt.Errorf("%s: %w", version, err)
	}
	r := row{cells: cells[1:], version: v, line: int32(min(line, math.MaxInt32))} // #nosec G115 -- bounded
	switch name {
	case measures:
		err = s.takeMeasure(&r)
	case components:
		err = s.takeComponent(&s.components, &r)
	case conditionComponents:
		err = s.takeComponent(&s.ofIf, &r)
	case conditions:
		err = s.takeCondition(&r)
	case exclusions:
		err = takePair(&s.excluded, &r)
	case notes:
		err = takePair(&s.notes, &r)
	case definitions:
		err = s.takeDefinition(&r)
	case blockings:
		err = takeStop(&s.blocked, &r)
	case suspensions:
		err = takeStop(&s.suspended, &r)
	default:
		s.tables[name].take(name, &r)
	}
	return errors.Join(err, r.err)
}

// row is a row that is being read. The first fault of its cells stays.
type row struct {
	cells   []string
	version number
	line    int32
	err     error
}

func (r *row) number(cell int) number {
	n, err := parseNumber(r.cells[cell])
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%q: %w", r.cells[cell], err)
	}
	return n
}

// parseNumber reads the number of a version; 0 for none.
func parseNumber(text string) (number, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(text, ".0"), 10, 32)
	if err != nil {
		return 0, errNumber
	}
	return number(n), nil
}

func (r *row) sid(cell int) int64 {
	n, err := strconv.ParseInt(r.cells[cell], 10, 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("sid %q: %w", r.cells[cell], errNumber)
	}
	return n
}

// day reads a day, also with a clock time behind it; 0 for none.
func (r *row) day(cell int) measure.Day {
	text := r.cells[cell]
	if text == "" {
		return 0
	}
	d, err := measure.ParseDay(text[:min(len(text), len("2021-01-01"))])
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%q is no day such as 2021-01-01", text)
	}
	return d
}

func (s *Set) takeMeasure(r *row) error {
	if r.cells[4] == "" {
		return errors.New("has no validity_start")
	}
	m := rawMeasure{
		version: r.version, sid: r.sid(0), typ: r.number(1), area: r.number(2), goods: r.number(3), from: r.day(4), to: r.day(5),
		additional: r.number(6), order: r.number(8), act: r.number(11), line: r.line,
	}
	if dead, order, reduction := r.cells[7], r.cells[9], r.cells[10]; dead != "" || order != "" || reduction != "" {
		m.rare = &rare{strings.Clone(dead), strings.Clone(order), strings.Clone(reduction)}
	}
	s.measures = append(s.measures, m)
	return nil
}

// text returns a text that may be held already.
func (s *Set) text(text string) string {
	if held, ok := s.texts[text]; ok {
		return held
	}
	text = strings.Clone(text)
	s.texts[text] = text
	return text
}

func (s *Set) takeComponent(to *[]component, r *row) error {
	*to = append(*to, component{
		version: r.version, of: r.number(0), expression: r.number(1), amount: s.text(r.cells[2]), currency: r.number(3), measurement: r.number(4),
		line: r.line,
	})
	return nil
}

func (s *Set) takeCondition(r *row) error {
	sequence, err := strconv.ParseInt(r.cells[3], 10, 32)
	if err != nil {
		return fmt.Errorf("component_sequence_number %q: %w", r.cells[3], errNumber)
	}
	s.conditions = append(s.conditions, condition{
		component: component{
			version: r.version, of: r.number(0), amount: s.text(r.cells[4]), currency: r.number(5), measurement: r.number(6), line: r.line,
		},
		sid: r.sid(1), code: r.number(2), sequence: int32(sequence), action: r.number(7), paper: r.number(8),
	})
	return nil
}

func takePair(to *[]pair, r *row) error {
	*to = append(*to, pair{r.version, r.number(0), r.number(1), r.line})
	return nil
}

// take keeps a row. Regulations change between their versions: the newest one counts.
func (t *things) take(name string, r *row) {
	kept := make([]string, len(r.cells))
	for i, cell := range r.cells {
		kept[i] = strings.Clone(cell)
	}
	t.rows[r.version] = kept
	if name == regulations {
		t.newest[kept[0]] = max(t.newest[kept[0]], r.version)
	}
}

// Missing returns the tables without which measures cannot be read, and that were not.
func (s *Set) Missing() (names []string) {
	for _, l := range layouts {
		if _, read := s.files[l.name]; l.need && !read {
			names = append(names, l.name)
		}
	}
	slices.Sort(names)
	return names
}
