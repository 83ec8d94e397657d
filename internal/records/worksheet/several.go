package worksheet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// maxNotes is the maximum number of notes about documents.
const maxNotes = 20

// AddNotes adds notes for the user.
func (s *Worksheet) AddNotes(notes []string) {
	for _, n := range notes {
		if len(s.Notes) < maxNotes && !slices.Contains(s.Notes, n) {
			s.Notes = append(s.Notes, n)
		}
	}
}

// put fills in a value. A value from an earlier file stays; if they differ, a note says so.
func (s *filler) put(p *Part, name string, f FoundValue) {
	before, was := p.Found[name]
	if !was || before.Source == s.source || before.Value == "" {
		p.Fill(name, f)
		return
	}
	if f.Value != "" && f.Value != before.Value {
		s.AddNotes([]string{fmt.Sprintf("%s: the %s says “%s”. The form keeps “%s” from an earlier document.", Label(name), s.Document, f.Value, before.Value)})
	}
}

// complete fills gaps of the items with the lines of a packing list or a bill of lading. A line belongs to the item with the
// same description or else the same commodity code, if there is only one. Others are left out, and a note says so.
func (s *filler) complete(lines []Part) {
	left := 0
	for i := range lines {
		item := s.itemLike(&lines[i])
		if item == nil {
			left++
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(lines[i].Found)) {
			s.put(item, name, lines[i].Found[name])
		}
	}
	if left > 0 {
		s.AddNotes([]string{fmt.Sprintf("%d of the %d lines of the %s fit none of the items, or several, and were left out.", left, len(lines), s.Document)})
	}
}

// itemLike returns the only item with the description or the commodity code of a line; nil if there is none.
func (s *filler) itemLike(line *Part) *Part {
	for _, name := range []string{"description", "commodityCode"} {
		var found *Part
		several := false
		for i := range s.Items {
			if a, b := plain(s.Items[i].Get(name)), plain(line.Get(name)); a == b && a != "" {
				found, several = &s.Items[i], found != nil
			}
		}
		if found != nil && !several {
			return found
		}
	}
	return nil
}

// plain returns a text for comparison.
func plain(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// DocumentOf returns the name of the type of the document that a value was found in.
func (s *Worksheet) DocumentOf(f FoundValue) string {
	for _, source := range s.Sources {
		if source.ID == f.Source {
			return documentNames[extract.DocumentType(source.DocumentType)]
		}
	}
	return s.Document
}

// Taken is a value that was found in a file, for a field of the form.
type Taken struct {
	Path string // of the field, such as items[0].netMassKg
	Name string // of its member
	FoundValue
	Value string // of the field at present
}

// FoundIn returns the values that were found in a file, in the order of the form, for at most limit fields. All fields of an
// item come together, those of the open item first.
func (s *Worksheet) FoundIn(source string, open, limit int) (all []Taken) {
	add := func(fields []Field, prefix string, p *Part) {
		for _, f := range fields {
			if found, is := p.Found[f.Name]; is && found.Source == source && len(all) < limit {
				all = append(all, Taken{prefix + f.Name, f.Name, found, p.Get(f.Name)})
			}
		}
	}
	add(GeneralFields, "", &s.General)
	add(ClientFields, "client.", &s.Client)
	add(ShipmentFields, "shipment.", &s.Shipment)
	if open >= 0 && open < len(s.Items) {
		add(ItemFields, fmt.Sprintf("items[%d].", open), &s.Items[open])
	}
	for n := range s.Items {
		if n != open {
			add(ItemFields, fmt.Sprintf("items[%d].", n), &s.Items[n])
		}
	}
	for n := range s.Documents {
		add(DocumentFields, fmt.Sprintf("documents[%d].", n), &s.Documents[n])
	}
	return all
}

// Take sets a field to the value that was found for it, and reports whether there is one.
func (s *Worksheet) Take(path string) bool {
	p, name := s.part(path)
	if p == nil || p.Found[name].Value == "" {
		return false
	}
	p.Set(name, p.Found[name].Value)
	return true
}

// part returns the part with a field, and the name of its member; nil if there is none.
func (s *Worksheet) part(path string) (*Part, string) {
	before, name, nested := strings.Cut(path, ".")
	switch {
	case !nested:
		return &s.General, path
	case before == "client":
		return &s.Client, name
	case before == "shipment":
		return &s.Shipment, name
	}
	found := entryPath.FindStringSubmatch(before)
	if found == nil {
		return nil, ""
	}
	entries := map[string][]Part{"items": s.Items, "documents": s.Documents}[found[1]]
	if n, err := strconv.Atoi(found[2]); err == nil && n < len(entries) {
		return &entries[n], name
	}
	return nil, ""
}

// entryPath matches the path of an entry of a list, such as items[0].
var entryPath = lazyregexp.New(`^(items|documents)\[(\d+)\]$`)

// DropSource forgets a file and where its values were found. The values stay.
func (s *Worksheet) DropSource(id string) {
	forget := func(p *Part) {
		maps.DeleteFunc(p.Found, func(_ string, f FoundValue) bool { return f.Source == id })
	}
	for _, p := range []*Part{&s.General, &s.Client, &s.Shipment} {
		forget(p)
	}
	for _, list := range [][]Part{s.Items, s.Documents} {
		for n := range list {
			forget(&list[n])
		}
	}
	for n := range s.Sources {
		if s.Sources[n].ID == id {
			s.Sources = slices.Delete(s.Sources, n, n+1)
			break
		}
	}
}
