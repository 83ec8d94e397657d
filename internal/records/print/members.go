package print

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
)

// maxMembers is the number of values that a document lists. The XML for customs has all of them.
const maxMembers = 10_000

// memberColumns are the columns of the table of all values.
var memberColumns = []pdfwriter.Column{{Title: "Data element", Share: 1.6}, {Title: "Detail", Share: 5}, {Title: "Value", Share: 5}, {Title: "From", Share: 1.8}}

// sources are where values come from.
var sources = map[string]string{
	"client": "Client", "shipment": "Shipment", "organisation": "Organisation", "product": "Product", "computed": "Computed", "guide": "HMRC’s guide", "constant": "Usual value",
}

// inOtherTables are values that the tables of goods and documents have.
var inOtherTables = []string{
	"shipmentId", "reference", "documents[].type", "documents[].reference", "documents[].status", "items[].commodityCode", "items[].description", "items[].netMassKg", "items[].grossMassKg",
	"items[].customsValueGbp", "items[].countryOfOrigin", "items[].procedureCode", "items[].packageCount", "items[].packageType",
	"items[].documents[].type", "items[].documents[].category", "items[].documents[].reference", "items[].documents[].status",
}

// member is a value, or the same value of several items.
type member struct {
	Path, Value, From string
	items             []int // numbers of the items, ascending; nil for a value of the header
}

// writeMembers writes the values that no other table has, with their data elements: those entered, then those that the service
// adds. A value that several items have is one row.
func (d *Document) writeMembers(w *pdfwriter.Writer) {
	all := d.members()
	if len(all) == 0 {
		return
	}
	w.Heading("Further details with their data elements")
	w.Table(memberColumns, func(yield func([]string) bool) {
		for _, m := range all[:min(len(all), maxMembers)] {
			f, _ := fields.At(fields.Declaration, m.Path)
			if !yield([]string{f.Numbers(), m.name(), m.Value, m.From}) {
				return
			}
		}
	})
	if more := len(all) - maxMembers; more > 0 {
		w.Note(fmt.Sprintf("%d more details are not listed here. The XML for customs has all of them.", more))
	}
}

// members returns the values in the order of the declaration.
func (d *Document) members() (all []*member) {
	known := map[sharedMember]*member{}
	add := func(path, value, from string) {
		number, rest := itemOf(path)
		key := sharedMember{number > 0, rest, value, from}
		if number > 0 && known[key] != nil {
			known[key].items = append(known[key].items, number)
			return
		}
		m := &member{Path: path, Value: value, From: from}
		if number > 0 {
			m.items, known[key] = []int{number}, m
		}
		all = append(all, m)
	}
	leaves(d.input.Filing.Body, func(path, value string) {
		if !slices.Contains(inOtherTables, fields.Template(path)) {
			add(path, value, "Entered")
		}
	})
	for i := range d.added.Derived {
		v := &d.added.Derived[i]
		add(v.Field, derivedText(v), cmp.Or(sources[v.From], v.From))
	}
	return all
}

// sharedMember is what values of several items have in common.
type sharedMember struct {
	ofItem            bool
	path, value, from string // the path within the item
}

// itemOf returns the number of the item that a path is in, from 1, and the path within it; 0 for the header.
func itemOf(path string) (number int, rest string) {
	after, ok := strings.CutPrefix(path, "items[")
	if !ok {
		return 0, path
	}
	index, rest, _ := strings.Cut(after, "].")
	if _, err := fmt.Sscan(index, &number); err != nil {
		return 0, path
	}
	return number + 1, rest
}

// name returns the name of the value with its items.
func (m *member) name() string {
	name := cmp.Or(fields.Name(fields.Declaration, m.Path), m.Path)
	if len(m.items) < 2 {
		return name
	}
	_, after, _ := strings.Cut(name, ", ")
	slices.Sort(m.items)
	return "Items " + rules.NumbersInWords(slices.Compact(m.items)) + ", " + after
}

// derivedText returns a value that the service adds: the values of an object or a list with commas between them.
func derivedText(v *filing.Derived) string {
	var words []string
	leaves(v.Value, func(_, value string) { words = append(words, value) })
	return strings.Join(words, ", ")
}

// leaves calls found with the scalars of a JSON value and their paths, such as items[0].netMassKg, in the order in which the
// value has them. Empty texts and nulls are left out.
func leaves(value json.RawMessage, found func(path, value string)) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	_ = leavesOf(d, "", found) // written by the service, so it is valid
}

func leavesOf(d *json.Decoder, path string, found func(path, value string)) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		for i := 0; d.More(); i++ {
			at := fmt.Sprintf("%s[%d]", path, i)
			if t == '{' {
				name, err := d.Token()
				if err != nil {
					return err
				}
				at = strings.TrimPrefix(path+"."+fmt.Sprint(name), ".")
			}
			if err := leavesOf(d, at, found); err != nil {
				return err
			}
		}
		_, err = d.Token() // the closing bracket
		return err
	case nil:
	case bool:
		found(path, map[bool]string{true: "yes", false: "no"}[t])
	default:
		if text := fmt.Sprint(token); text != "" {
			found(path, text)
		}
	}
	return nil
}
