package official

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// rowKinds are the tables whose rows are measures.
var rowKinds = []Kind{Duties, VAT, Units}

// side is one of two editions that are compared. It reads the measures of a code, or of a chapter, when they are asked for.
type side struct {
	from       Store
	edition    Edition
	index      map[string]int64            // its pieces
	recordings map[string][]recording.Name // by code
	chapters   map[Kind]bool               // tables that are stored by chapter
	day        string                      // on which measures are in force; any if it is empty

	tables map[string]Table // of measures, by service

	chapter string // whose rows are held
	rows    map[string][]difference.Measure
	pieces  map[string]Part                // of the chapter in the publisher's tables, by service
	listed  map[string]*table.Table        // their measures, of those that were asked for
	altered map[string]altered             // what differs in them from those of the other side, where they have been compared
	whole   map[Kind]map[string][][]string // tables that older programs stored as a whole, and the embedded ones, by chapter
}

func newSide(ctx context.Context, from Store, version int64, day string) (*side, error) {
	s := &side{
		from: from, day: day, index: map[string]int64{}, recordings: map[string][]recording.Name{}, chapters: map[Kind]bool{}, tables: map[string]Table{},
		whole: map[Kind]map[string][][]string{},
	}
	if version == 0 {
		return s, nil
	}
	var err error
	if s.edition, err = keptEdition(ctx, from, version); err != nil {
		return nil, err
	}
	if s.index, err = from.TariffIndex(ctx, version); err != nil {
		return nil, err
	}
	for _, service := range services {
		if t, ok := s.edition.newestMeasures(service); ok {
			s.tables[service] = t
		}
	}
	return s, s.readNames()
}

// readNames sorts the names of the pieces by what they are.
func (s *side) readNames() error {
	for name := range s.index {
		for _, k := range splitKinds {
			s.chapters[k] = s.chapters[k] || strings.HasPrefix(name, tablePrefix(k))
		}
		if !strings.HasPrefix(name, recordingPrefix) {
			continue
		}
		n, err := parseRecordingName(name)
		if err != nil {
			return err
		}
		s.recordings[n.Code] = append(s.recordings[n.Code], n)
	}
	for _, names := range s.recordings {
		slices.SortFunc(names, func(a, b recording.Name) int {
			return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(b.Day, a.Day), cmp.Compare(b.Country, a.Country))
		})
	}
	return nil
}

// measures returns what the edition holds of a code: for each service its newest recorded answer or what the publisher's table has, if
// that is newer, and for the UK else the rows of the other tables. Measures of the lines above the code count too for the services of
// which above says so.
func (s *side) measures(ctx context.Context, code string, above map[string]bool) (all []difference.Measure, err error) {
	for _, service := range services {
		measures, held, err := s.held(ctx, service, code, above[service])
		if err != nil {
			return nil, err
		}
		all = append(all, measures...)
		if held || service != measure.UK {
			continue
		}
		if err := s.readChapter(ctx, code[:chapterDigits]); err != nil {
			return nil, err
		}
		for _, typ := range []string{thirdCountryDuty, valueAddedTax, unitToDeclare} {
			all = append(all, s.row(code, typ, above[service])...)
		}
	}
	return all, nil
}

// has reports whether the edition has a recorded answer of a service for a code.
func (s *side) has(service, code string) bool {
	return slices.ContainsFunc(s.recordings[code], func(n recording.Name) bool { return n.Service == service })
}

// row returns the rows of a type for a code, or those of the nearest line above it that has any.
func (s *side) row(code, typ string, above bool) (all []difference.Measure) {
	for digits := codeDigits; digits >= chapterDigits; digits -= 2 {
		for _, m := range s.rows[padded(code[:digits])] {
			if m.Type == typ && m.InForce(s.day) {
				m.Code = code
				all = append(all, m)
			}
		}
		if all != nil || !above {
			break
		}
	}
	return all
}

// recorded returns the measures of the newest answer for a code, unless it is older than a table of a day; then whole is false. The
// answers for one country that are newer add measures and replace them; they do not end any.
func (s *side) recorded(ctx context.Context, service, code, day string) (all []difference.Measure, whole bool, err error) {
	seen := map[int64]bool{}
	for _, n := range s.recordings[code] {
		if n.Service != service || s.day != "" && n.Day.String() > s.day {
			continue
		}
		if n.Day.String() < day {
			break
		}
		name := recordingName(n)
		r, err := readNamed(ctx, s.from, name, s.index[name])
		if err != nil {
			return nil, false, fmt.Errorf("official: %s: %w", name, err)
		}
		for i := range r.Import {
			m := difference.Of(service, code, &r.Import[i])
			if !seen[m.SID] && m.InForce(s.day) {
				all = append(all, m)
			}
		}
		for i := range r.Import {
			seen[r.Import[i].SID] = true
		}
		if n.Country == "" {
			return all, true, nil
		}
	}
	return all, false, nil
}

// readChapter reads the rows of a chapter, of all tables with measures.
func (s *side) readChapter(ctx context.Context, chapter string) error {
	if s.chapter == chapter {
		return nil
	}
	s.chapter, s.rows = chapter, map[string][]difference.Measure{}
	if err := s.readPieces(ctx, chapter); err != nil {
		return err
	}
	for _, k := range rowKinds {
		rows, err := s.chapterRows(ctx, k, chapter)
		if err != nil {
			return err
		}
		for _, row := range rows {
			m, err := rowMeasure(k, row)
			if err != nil {
				return fmt.Errorf("official: %s: code %s: %w", k, row[0], err)
			}
			s.rows[row[0]] = append(s.rows[row[0]], m)
		}
	}
	return nil
}

// chapterRows returns the rows of a table for a chapter; those of the embedded table if the edition has none.
func (s *side) chapterRows(ctx context.Context, k Kind, chapter string) ([][]string, error) {
	name := tablePrefix(k) + chapter
	if came, has := s.index[name]; has {
		packed, err := s.from.TariffPart(ctx, name, came)
		if err != nil {
			return nil, err
		}
		return unpack(k, packed)
	}
	if s.chapters[k] {
		return nil, nil
	}
	if s.whole[k] == nil {
		rows, err := s.wholeRows(ctx, k)
		if err != nil {
			return nil, err
		}
		s.whole[k] = map[string][][]string{}
		for _, row := range rows {
			s.whole[k][row[0][:chapterDigits]] = append(s.whole[k][row[0][:chapterDigits]], row)
		}
	}
	return s.whole[k][chapter], nil
}

func (s *side) wholeRows(ctx context.Context, k Kind) ([][]string, error) {
	if t, has := s.edition.Table(k); has {
		return fetch(ctx, s.from, t)
	}
	return embeddedRows(k), nil
}

// embeddedRows returns a table of the service as it would be imported.
func embeddedRows(k Kind) (rows [][]string) {
	for _, l := range tariff.Embedded().Lines() {
		switch {
		case k == Duties:
			rows = append(rows, []string{l.Code, l.Duty.String(), "", "", ""})
		case k == VAT:
			rows = append(rows, []string{l.Code, strconv.Itoa(l.VATRate), "", "", ""})
		case k == Units && l.Unit != "":
			rows = append(rows, []string{l.Code, l.Unit})
		}
	}
	return rows
}

// unitToDeclare is the type of the measure that asks for a supplementary unit.
const unitToDeclare = "109"

// rowMeasure returns a row of a table as a measure, which has no number.
func rowMeasure(k Kind, row []string) (difference.Measure, error) {
	m := difference.Measure{Tariff: measure.UK, Code: row[0], Area: allTheWorld}
	switch k {
	case Units:
		m.Type, m.Duty = unitToDeclare, measure.Text([]measure.Component{{Expression: "99", Unit: row[1]}})
		return m, nil
	case VAT:
		rate, err := strconv.Atoi(row[1])
		if err != nil {
			return m, err
		}
		m.Type, m.Duty = valueAddedTax, measure.Text([]measure.Component{{Expression: "01", Amount: big.NewRat(int64(rate), 1)}})
		m.Additional = vatCodes[rate]
	default:
		m.Type, m.Duty, m.Additional = thirdCountryDuty, row[1], row[2]
		if components, err := measure.ParseDuty(row[1]); err == nil {
			m.Duty = measure.Text(components)
		}
	}
	m.From, m.To = row[3], row[4]
	return m, nil
}
