package declare

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/fieldset"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// itemPrefix is the path of the members of an item in the table of fields.
const itemPrefix = "items[]."

// sectionLink is a section of other members.
type sectionLink struct {
	fields.Section
	Title  string
	Set    int // members with a value
	Errors int
	Path   string
}

// hasMembers reports whether the page is one of other members.
func (f *stepView) hasMembers() bool {
	return f.Step == worksheet.StepDetails || f.Step == worksheet.StepItem
}

// prefix returns the path of the page's members in the table of fields.
func (f *stepView) prefix() string {
	if f.Step == worksheet.StepItem {
		return itemPrefix
	}
	return ""
}

// set returns the data set of the declaration; empty for none.
func (f *stepView) set() dataset.Set { return dataset.Set(f.Worksheet.General.Get("dataSet")) }

// part returns the part of the worksheet that has the page's members.
func (f *stepView) part() *worksheet.Part {
	if f.Step == worksheet.StepItem {
		return &f.Worksheet.Items[f.Item]
	}
	return &f.Worksheet.General
}

// membersIn returns the members of a section that have no field on another step.
func (f *stepView) membersIn(s fields.Section) (names []string) {
	plain := append(slices.Clone(worksheet.GeneralFields), worksheet.Field{Name: "shipmentId"}, worksheet.Field{Name: "items"}, worksheet.Field{Name: "documents"})
	if f.Step == worksheet.StepItem {
		plain = worksheet.ItemFields
	}
	for _, field := range fields.Of(fields.Declaration) {
		name, within := strings.CutPrefix(field.Path, f.prefix())
		name = strings.TrimSuffix(name, "[]")
		if within && field.Section == s && s != fields.Own && !strings.Contains(name, ".") && !isPlain(plain, name) {
			names = append(names, name)
		}
	}
	return names
}

// shown reports whether a section has a member that the data set has, or one with a value.
func (f *stepView) shown(names []string, kept members) bool {
	return f.All || slices.ContainsFunc(names, func(name string) bool {
		field, _ := fields.At(fields.Declaration, f.prefix()+name)
		return kept[name] != nil || field.AppliesTo(f.set(), f.day)
	})
}

// SectionLinks returns the sections of the page's part.
func (f *stepView) SectionLinks() (links []sectionLink) {
	kept := membersOf(f.part().Kept)
	for _, s := range fields.Sections {
		names := f.membersIn(s.Section)
		if !f.shown(names, kept) {
			continue
		}
		link := sectionLink{Section: s.Section, Title: s.Title, Path: f.sectionPath(s.Section)}
		for _, name := range names {
			if kept[name] != nil {
				link.Set++
			}
		}
		for _, d := range f.Errors {
			if at := placeOf(d.Field); at.Step == f.Step && at.Section == s.Section && (f.Step != worksheet.StepItem || at.Item == f.Item) {
				link.Errors++
			}
		}
		links = append(links, link)
	}
	return links
}

// sectionPath returns the path of a section of the page's part; of the list of sections if it is empty.
func (f *stepView) sectionPath(s fields.Section) string {
	q := url.Values{}
	if f.Step == worksheet.StepItem {
		q.Set("item", strconv.Itoa(f.Number()))
	}
	if s != "" {
		q.Set("section", string(s))
	}
	if f.All {
		q.Set("all", "yes")
	}
	return path(f.Worksheet.ID, f.Step) + "?" + q.Encode()
}

// SectionsPath returns the path of the list of sections.
func (f *stepView) SectionsPath() string { return f.sectionPath("") }

// Bodies of the members pages.
var (
	headerBody = reflect.TypeFor[customs.Declaration]()
	itemBody   = reflect.TypeFor[customs.Item]()
)

// memberForm returns the form of the open section.
func (d *Declare) memberForm(f *stepView) *form.Form {
	body := headerBody
	if f.Step == worksheet.StepItem {
		body = itemBody
	}
	selection := fieldset.Selection{Record: fields.Declaration, Prefix: f.prefix(), Set: f.set(), Day: f.day, All: f.All}
	return form.New(d.Schemas, body, nil).Describe(selection.Describe).Select(f.membersIn(f.Section)...)
}

// openSection sets the section, the parts of long lists and whether all members are shown, from the query or the form.
func (f *stepView) openSection(c *page.Context, values url.Values) error {
	f.Section, f.All, f.day = fields.Section(values.Get("section")), values.Get("all") != "", c.Now().Format("2006-01-02")
	if f.Section != "" && (f.Section.Title() == "" || f.membersIn(f.Section) == nil) {
		return apierr.Missing()
	}
	return nil
}

// fillMembers fills the form of the open section from the worksheet.
func (d *Declare) fillMembers(f *stepView, values url.Values) {
	shown := membersOf(f.part().Kept)
	f.Windows = nil
	for _, list := range longLists(f.prefix(), f.membersIn(f.Section)) {
		entries, is := shown.list(list.Path)
		if !is {
			continue
		}
		from, _ := strconv.Atoi(values.Get(fromPrefix + list.Path))
		from = min(max(from, 0), max(len(entries)-1, 0))
		w := window{List: list.Path, Label: list.Label, One: list.One, From: from, Total: len(entries), Size: size(entries, from, f.fieldsOfEntry(list.Path))}
		f.Windows = append(f.Windows, w)
		shown.setList(list.Path, entries[from:from+w.Size])
	}
	f.Members = d.memberForm(f).Fill(shown.encode())
	f.limitRows()
}

// limitRows lets users add entries at the end of a list only.
func (f *stepView) limitRows() {
	for _, w := range f.Windows {
		field := f.Members.FieldAt(w.List)
		if field == nil {
			continue
		}
		field.MaxRows -= w.Total - w.Size
		if w.More() {
			field.MaxRows = len(field.Rows)
		}
		for n, row := range field.Rows {
			row.Label = fmt.Sprintf("%s %d", w.One, w.From+n+1)
		}
	}
}

// readMembers reads the form of the open section into the worksheet.
func (d *Declare) readMembers(c *page.Context, f *stepView) error {
	if err := f.openSection(c, c.R.PostForm); err != nil || f.Section == "" {
		return err
	}
	names, kept := f.membersIn(f.Section), membersOf(f.part().Kept)
	f.Members = d.memberForm(f).Read(c.R.PostForm)
	read := membersOf(f.Members.Body)
	for _, list := range longLists(f.prefix(), names) {
		stored, _ := kept.list(list.Path)
		w := windowOf(c, list, len(stored))
		f.Windows = append(f.Windows, w)
		entries, _ := read.list(list.Path)
		read.setList(list.Path, slices.Concat(stored[:w.From], entries, stored[w.From+w.Size:]))
	}
	f.limitRows()
	if f.Members.RowsChanged {
		return nil
	}
	for _, name := range names {
		if delete(kept, name); read[name] != nil {
			kept[name] = read[name]
		}
	}
	f.part().Kept = nil
	if len(kept) > 0 {
		f.part().Kept = kept.encode()
	}
	return nil
}

// windowOf returns the submitted part of a list. Without one, all entries were shown.
func windowOf(c *page.Context, list fields.Field, total int) window {
	w := window{List: list.Path, Label: list.Label, One: list.One, Total: total, Size: total}
	from, size, found := strings.Cut(c.Value("window."+list.Path), ":")
	if !found {
		return w
	}
	w.From, w.Size = min(buttonIndex(from), total), buttonIndex(size)
	w.Size = min(w.Size, total-w.From)
	return w
}

// showMemberErrors shows the errors of the open section beside its fields, and reports whether there are any.
func (d *Declare) showMemberErrors(c *page.Context, f *stepView) bool {
	if f.Members == nil {
		return false
	}
	for _, detail := range errorsOn(d.errors(c, f), f) {
		detail.Field = placeOf(detail.Field).Anchor
		for _, w := range f.Windows {
			detail.Field = shifted(detail.Field, w.List, w.From)
		}
		f.Members.AddErrors(detail)
	}
	c.ShowErrors(f.Members.Errors)
	return f.Members.Errors != nil
}

// OtherMembers returns the number of other members of the open item that are set.
func (f *stepView) OtherMembers() int {
	return len(membersOf(f.Worksheet.Items[f.Item].Kept))
}

// HeaderMembers returns the number of other members of the declaration that are set.
func (f *stepView) HeaderMembers() int { return len(membersOf(f.Worksheet.General.Kept)) }
