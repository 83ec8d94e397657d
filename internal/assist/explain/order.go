package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Stages in which CDS processes a declaration. An error in an early stage may cause later
// ones, so it comes first.
const (
	stopped = iota // nothing else was processed
	message        // the message itself: reference, time, state
	kind           // type of declaration and procedure
	parties        // persons and authorisations
	commodity
	content
	agreement // contradicting fields
	measures
	documentsStage
	licences
	movement
	other
	hint
)

// early are the numbers of codes whose stage does not follow from their first digits.
var early = map[int][]string{
	stopped: {"11005", "12050", "12052"},
	message: {"11007", "11012", "12003", "12014", "12015", "12016", "12026", "12031", "12034", "12036", "12044", "12046", "12062", "12069", "12132", "12133", "12134", "12137"},
	kind:    {"11004", "12104", "12107", "12120", "12136", "12138", "12149", "12152", "40012", "73329"},
	parties: {"12005", "12007", "12013", "12125", "12150", "12153", "12157", "12158", "12170", "50027"},
	commodity: {
		"10004", "40059",
	},
	licences: {"12006"},
	hint:     {"13000"},
	other:    {"19999", "49999"},
}

var stageOf = stagesByNumber()

func stagesByNumber() map[string]int {
	all := map[string]int{}
	for stage, numbers := range early {
		for _, number := range numbers {
			all[number] = stage
		}
	}
	return all
}

// stagesByFamily are the stages of all other codes by their first digits, longer prefixes
// first.
var stagesByFamily = []struct {
	prefix string
	stage  int
}{{"100", content}, {"11", agreement}, {"12", agreement}, {"13", hint}, {"14", agreement}, {"20", movement}, {"40", measures}, {"50", movement}, {"77", documentsStage}, {"7", licences}}

// processingStage is the stage in which CDS finds an error.
func (m *explainedError) processingStage() int {
	number := strings.TrimLeft(m.entry.Code, "CDMS")
	if stage, found := stageOf[number]; found {
		return stage
	}
	if len(number) != 5 {
		return other
	}
	for _, f := range stagesByFamily {
		if strings.HasPrefix(number, f.prefix) {
			if f.stage == content && strings.HasSuffix(skeleton(m.field()), ".commodityCode") {
				return commodity
			}
			return f.stage
		}
	}
	return other
}

// field is the field of the error.
func (m *explainedError) field() string {
	if len(m.places) == 0 {
		return ""
	}
	return m.places[m.own].Field
}

// rank sorts causes first and groups the same error at several items; otherwise the order is
// that of the report.
func rank(cases []explainedError) {
	first := map[string]int{}
	for i := range cases {
		if key := cases[i].group; first[key] == 0 {
			first[key] = i + 1
		}
	}
	sorting.Stable(cases, func(a, b explainedError) int {
		return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(first[a.group], first[b.group]))
	})
}

// groupKey is equal for the same error at different items. Two reports of one contradiction
// stay together.
func (m *explainedError) groupKey() string {
	key := m.entry.Code
	for i := range m.places {
		key += " " + skeleton(m.places[i].Field)
	}
	return key
}

// maxAlso is the largest number of further fields that are named.
const maxAlso = 100

// relate adds the other fields of an error and its possible cause.
func relate(cases []explainedError, out []Explanation) {
	leaders := map[string]int{}
	for i := range cases {
		key := cases[i].group
		leader, again := leaders[key]
		if !again {
			leaders[key] = i
			continue
		}
		out[leader].also(out[i].Field)
	}
	c := causes{}
	for i := range cases {
		out[i].MayFollowFrom = c.of(&cases[i])
		c.note(&cases[i])
	}
}

// also adds a further field unless the error names it already.
func (e *Explanation) also(field string) {
	named := func(f DeclaredField) bool { return f.Field == field }
	if named(e.DeclaredField) || slices.ContainsFunc(e.Related, named) || slices.Contains(e.AlsoAt, field) || len(e.AlsoAt) >= maxAlso {
		return
	}
	e.AlsoAt = append(e.AlsoAt, field)
}

// causes are the errors so far that may have caused others, by what they affect.
type causes map[string]string

const everything, everyParty = "*", "party"

func (c causes) note(m *explainedError) {
	spoils := ""
	switch m.stage {
	case stopped:
		spoils = everything
	case parties:
		if m.entry.Code != "CDS12005" {
			return
		}
		spoils = everyParty
	case commodity:
		spoils = itemOf(m.field())
	case content:
		spoils = m.field()
	}
	if spoils != "" && c[spoils] == "" {
		c[spoils] = m.entry.Code
	}
}

func (c causes) of(m *explainedError) (code string) {
	switch m.stage {
	case stopped, hint, other:
		return ""
	case parties:
		code = c[everyParty]
	case agreement:
		code = c[m.field()]
	case measures, documentsStage, licences:
		code = c[itemOf(m.field())]
	}
	if code = cmp.Or(c[everything], code); code == m.entry.Code {
		return ""
	}
	return code
}

// itemOf returns items[2] for items[2].netMassKg, and "" for a field outside the items.
func itemOf(field string) string {
	item, _, _ := strings.Cut(field, ".")
	if !strings.HasPrefix(item, "items[") {
		return ""
	}
	return item
}
