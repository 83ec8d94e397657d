package datamodel

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// MemberAt returns the path of the member that a pointer of customs leads to, with indices from 0, such as
// items[1].taxLines[0].type. For an element without a member it returns plain words.
func MemberAt(p pointer.Pointer) string {
	if field, ok := additionalAt(p); ok {
		return field
	}
	for n := len(p); n > 0; n-- {
		if m, ok := members()[keyOf(p[:n])]; ok {
			return m.path(p)
		}
	}
	return p.Field()
}

// additionalAt returns the member of an additional procedure: all procedures of an item but the first.
func additionalAt(p pointer.Pointer) (string, bool) {
	const item, procedure = 2, 3
	if len(p) <= procedure || p[procedure].Section != "70A" || p[procedure].Sequence < 2 {
		return "", false
	}
	return "items[" + strconv.Itoa(max(p[item].Sequence, 1)-1) + "].additionalProcedureCodes[" + strconv.Itoa(p[procedure].Sequence-2) + "]", true
}

// shortMembers are the members that stand for an element, where the full form has another one.
var shortMembers = map[string]string{
	"items[].classifications[].id":                "items[].commodityCode",
	"items[].classifications[].type":              "items[].commodityCode",
	"items[].procedures[].current":                "items[].procedureCode",
	"items[].procedures[].previous":               "items[].procedureCode",
	"items[].origins[].country":                   "items[].countryOfOrigin",
	"items[].origins[].type":                      "items[].countryOfOrigin",
	"items[].supplementaryUnit":                   "items[].supplementaryUnits",
	"items[].documents[].category":                "items[].documents[].type",
	"items[].documents[].writeOff.quantity.unit":  "items[].documents[].writeOff.quantity",
	"items[].documents[].writeOff.quantity.value": "items[].documents[].writeOff.quantity",
}

// members are the members by the sections and the tag of their pointers. They follow from the binding: each member is changed
// alone, and the change of the document has a pointer.
var members = sync.OnceValue(func() map[string]member {
	found := map[string]member{"42A.D013.": {template: "additionalType"}}
	header, items := &Header{}, []Item{{}}
	w := &walk{found: found, encode: func() wco.Declaration { return Encode(Body{Direction: Import, Header: header, Items: items}) }}
	w.value(reflect.ValueOf(header).Elem(), "")
	w.value(reflect.ValueOf(&items[0]).Elem(), "items[]")
	return found
})

// member is the path of a member, and the steps of its pointer that are entries of its lists.
type member struct {
	template string // such as items[].description
	lists    []int
}

// path inserts the sequence numbers of a pointer, counted from 0. A missing one is the first.
func (m member) path(p pointer.Pointer) string {
	out := m.template
	for _, step := range m.lists {
		out = strings.Replace(out, "[]", "["+strconv.Itoa(max(p[step].Sequence, 1)-1)+"]", 1)
	}
	return out
}

// walk visits each member of a body, which is empty otherwise.
type walk struct {
	found  map[string]member
	encode func() wco.Declaration
}

// samples are values of the types of single members.
var samples = func() map[reflect.Type]reflect.Value {
	one, yes, sum, mass, rate, number := int64(7), true, quantity.MustSum("7"), quantity.MustMass("7"), quantity.MustRate("7"), quantity.MustNumber("7")
	all := map[reflect.Type]reflect.Value{}
	for _, v := range []any{&one, &yes, &sum, &mass, &rate, &number} {
		all[reflect.TypeOf(v)] = reflect.ValueOf(v)
	}
	return all
}()

func (w *walk) value(v reflect.Value, at string) {
	sample, single := samples[v.Type()]
	switch {
	case single:
		w.leaf(v, sample, at)
	case v.Kind() == reflect.String:
		w.leaf(v, reflect.ValueOf(sampleText(at)).Convert(v.Type()), at)
	case v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct && !strings.HasSuffix(at, "customsValueGbp"):
		v.Set(reflect.New(v.Type().Elem()))
		w.value(v.Elem(), at)
		v.SetZero()
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		w.value(v.Index(0), at+"[]")
		v.SetZero()
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case field.Anonymous && field.IsExported():
				w.value(v.Field(i), at)
			case field.IsExported():
				w.value(v.Field(i), join(at, name))
			}
		}
	}
}

// sampleText returns a text that a member can have.
func sampleText(at string) string {
	if strings.HasSuffix(at, "At") || strings.HasSuffix(at, "date") {
		return "2026-11-21"
	}
	return "7"
}

// leaf notes the pointers of what one member declares. Full forms take precedence over short ones, which shortMembers name.
func (w *walk) leaf(v, sample reflect.Value, at string) {
	before := w.encode()
	v.Set(sample)
	after := w.encode()
	v.SetZero()
	changes, _, err := amendment.Compare(&before, &after)
	if err != nil {
		return // an element without a pointer, which customs cannot name
	}
	if short := shortMembers[at]; short != "" {
		at = short
	}
	for _, part := range []string{".amount", ".currency"} {
		if trimmed := strings.TrimSuffix(at, part); len(changes) > 0 && trimmed != at && strings.Contains(changes[0].Path, "Amount") {
			at = trimmed
		}
	}
	for _, c := range changes {
		w.note(c.Pointer, at)
	}
}

// note notes the member that a pointer leads to, and the entries of lists on the way to it.
func (w *walk) note(p pointer.Pointer, at string) {
	m := member{template: at}
	parts := strings.SplitAfter(at, "[]")
	for n, step := range p {
		if step.Sequence == 0 || len(m.lists) == len(parts)-1 {
			continue
		}
		m.lists = append(slices.Clone(m.lists), n)
		entry := member{template: strings.Join(parts[:len(m.lists)], ""), lists: m.lists}
		if key := keyOf(p[:n+1]); w.found[key].template == "" {
			w.found[key] = entry
		}
	}
	w.found[keyOf(p)] = m
}

// keyOf returns the sections and the tag of a pointer.
func keyOf(p pointer.Pointer) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.Section + ".")
		if s.Tag != "" {
			b.WriteString(s.Tag + ".")
		}
	}
	return b.String()
}
