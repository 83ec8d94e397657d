// Package fields is the table of all fields of a declaration, its items, its shipment, its client and its organisation: what
// each is called, which data element it is, and which values it has. Forms and record pages are made from it.
//
// Labels are those of the data elements in the UK Trade Tariff, volume 3 (GOV.UK, CDS declaration instructions, read
// 2026-11-24).
package fields

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Type is what values a field has.
type Type string

// The types of fields.
const (
	Text   Type = "text"
	Number Type = "number"
	YesNo  Type = "yes or no"
	Moment Type = "moment" // a date with or without a time
	Texts  Type = "texts"  // a list of texts
	Group  Type = "group"  // an object, whose members have fields of their own
	List   Type = "list"   // a list of objects
	Free   Type = "free"   // members of any name
)

// Record is what has fields.
type Record string

// The records.
const (
	Declaration  Record = "declaration"
	Shipment     Record = "shipment"
	Client       Record = "client"
	Organisation Record = "organisation"
)

// Section is a group of fields that a form shows together.
type Section string

// The sections of a declaration and of an item.
const (
	Kind           Section = "kind"
	Parties        Section = "parties"
	Transport      Section = "transport"
	Containers     Section = "containers"
	Documents      Section = "documents"
	Previous       Section = "previous"
	Authorisations Section = "authorisations"
	Valuation      Section = "valuation"
	Offices        Section = "offices"
	Safety         Section = "safety"
	Goods          Section = "goods"
	Own            Section = "own" // what belongs to this service alone
)

// Sections are the sections in the order of a form, with their titles.
var Sections = []struct {
	Section
	Title string
}{
	{Kind, "Kind of declaration"}, {Goods, "Goods and procedure"}, {Parties, "Parties and representation"}, {Transport, "Transport and location"},
	{Containers, "Containers and seals"}, {Documents, "Documents and statements"}, {Previous, "Previous documents"},
	{Authorisations, "Authorisations, guarantees and deferment"}, {Valuation, "Valuation and taxes"}, {Offices, "Warehouse and offices"},
	{Safety, "Safety and security"}, {Own, "Your references"},
}

// Title returns the title of a section.
func (s Section) Title() string {
	for _, one := range Sections {
		if one.Section == s {
			return one.Title
		}
	}
	return ""
}

// Field is one field.
type Field struct {
	Path     string // such as items[].taxLines[].type
	Label    string
	One      string // label of an entry of a list
	Elements string // numbers of its data elements with spaces between them, such as 3/1 3/2; empty if it is none
	Type     Type
	List     string // name of its code list in Lists; empty if any text is valid
	Section  Section
	Help     string
	Service  bool // this service reads it, and customs does not receive it as it stands
}

// Numbers returns the data elements for people, such as 3/1, 3/2.
func (f Field) Numbers() string { return strings.ReplaceAll(f.Elements, " ", ", ") }

// Requires returns what a data set requires of the field on a day (YYYY-MM-DD). A group has the strictest letter of its data
// elements. Elements without published letters, such as 4/18, are optional everywhere.
func (f Field) Requires(set dataset.Set, day string) dataset.Letter {
	strictest := dataset.Absent
	for _, element := range strings.Fields(f.Elements) {
		l := dataset.OwnOptional
		if hasLetters(element) {
			l = set.Required(element, day)
		}
		if strings.IndexByte(strictness, byte(l)) < strings.IndexByte(strictness, byte(strictest)) {
			strictest = l
		}
	}
	return strictest
}

func hasLetters(element string) bool {
	return slices.ContainsFunc(dataset.Elements(), func(e dataset.Element) bool { return e.Number == element })
}

// strictness are the letters, the strictest first.
const strictness = "Aa?DdCc-"

// AppliesTo reports whether a form shows the field for a data set: if the data set has its data element, or if it is one of
// this service. Without a data set, all data elements of the United Kingdom apply.
func (f Field) AppliesTo(set dataset.Set, day string) bool {
	switch {
	case f.Service:
		return true
	case set == "":
		return f.Elements != ""
	}
	return f.Requires(set, day) != dataset.Absent
}

// Of returns the fields of a record in the order of its form. The caller must not change them.
func Of(r Record) []Field { return tables()[r].all }

// At returns the field at a path, whose lists may have indices, such as items[3].taxLines[0].type.
func At(r Record, path string) (Field, bool) {
	f, ok := tables()[r].at[Template(path)]
	return f, ok
}

var index = lazyregexp.New(`\[[0-9]+\]`)

// Template returns a path without its indices.
func Template(path string) string { return index.ReplaceAllString(path, "[]") }

// Name returns the name of the field at a path with what it is within, such as “Item 2, tax line 1, tax type”; empty if there is
// none.
func Name(r Record, path string) string {
	var words []string
	for end := range len(path) + 1 {
		if end < len(path) && path[end] != '.' {
			continue
		}
		f, ok := At(r, path[:end])
		if !ok {
			return ""
		}
		label := f.Label
		if at := strings.LastIndexByte(path[:end], '['); f.Type == List && strings.HasSuffix(path[:end], "]") {
			n, _ := strconv.Atoi(path[at+1 : end-1])
			label = f.One + " " + strconv.Itoa(n+1)
		}
		if len(words) > 0 && (len(label) < 2 || label[1] < 'A' || label[1] > 'Z') {
			label = strings.ToLower(label[:1]) + label[1:]
		}
		words = append(words, label)
	}
	return strings.Join(words, ", ")
}

// SectionOf returns the section of a field of the declaration, or of the nearest field that contains it; Own if there is none.
func SectionOf(path string) Section {
	for at := Template(path); at != ""; at = at[:max(strings.LastIndexAny(at, ".["), 0)] {
		if f, ok := tables()[Declaration].at[at]; ok {
			return f.Section
		}
	}
	return Own
}

// table is the fields of a record, also by path.
type table struct {
	all []Field
	at  map[string]Field
}

var tables = sync.OnceValue(func() map[Record]table {
	all := map[Record]table{}
	for record, rows := range map[Record][]row{
		Declaration: declarationRows(), Shipment: shipmentRows(), Client: clientRows(), Organisation: organisationRows(),
	} {
		t := table{at: map[string]Field{}}
		t.add("", "", rows)
		all[record] = t
	}
	return all
})

// row is a line of the table with the lines of its members.
type row struct {
	Field
	of []row
}

// add adds rows below a path. A member is in the section of what contains it, and has its data elements unless it has its own.
func (t *table) add(prefix string, section Section, rows []row) {
	for _, r := range rows {
		f := r.Field
		f.Path = prefix + f.Path
		if f.Section == "" {
			f.Section = section
		}
		if f.Type == List {
			f.One = entryLabels[strings.TrimSuffix(r.Path, "[]")]
		}
		t.all = append(t.all, f)
		t.at[strings.TrimSuffix(f.Path, "[]")] = f
		t.at[f.Path] = f
		t.add(f.Path+".", f.Section, r.of)
	}
}
