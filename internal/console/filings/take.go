package filings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Values of the buttons that offer records and take values from the chosen ones, and names of the controls between them.
const (
	offerButton = "offer:"
	takeButton  = "take:"
	takeText    = "take~text"
	takeRecord  = "take~record"
)

// Limits of the records that are offered and taken from.
const (
	maxOffered      = 10
	maxTaken        = 50
	maxSearched     = 100
	maxOfferedTexts = 200 // characters of the description of a record
)

// sourceRecords reads the records of a source.
type sourceRecords struct{ layout.Source }

// offerView offers records, or the entries of one, to take values from.
type offerView struct {
	layout.Source
	Text       string // that is searched
	Rows       []offeredRow
	Incomplete string // why records may be missing; empty if all are found
}

type offeredRow struct{ Value, Name, About string }

// takenView says what was taken.
type takenView struct {
	Title   string
	Names   []string // of the records
	Changes []takenValue
}

// takenValue is a field that got a value.
type takenValue struct{ Name, Label, Value, Before string }

// sourceNamed returns the source of the form with an id.
func (k *kind) sourceNamed(id string) (layout.Source, bool) {
	if k.Layout != nil {
		for _, section := range k.Layout.Sections {
			for _, s := range section.Sources {
				if s.ID == id {
					return s, true
				}
			}
		}
	}
	return layout.Source{}, false
}

// takes offers records or takes values from them, if such a button was pressed, and reports whether it did.
func (a *Filings) takes(c *page.Context, shown *formView) (done bool, err error) {
	button := c.Value("do")
	id, taking := strings.CutPrefix(button, takeButton)
	if !taking {
		if id, done = strings.CutPrefix(button, offerButton); !done {
			return false, nil
		}
	}
	s, ok := shown.sourceNamed(id)
	if !ok {
		return true, apierr.Missing()
	}
	shown.FilledForm = shown.body.Fill(shown.Body)
	if !taking || len(c.R.PostForm[takeRecord]) == 0 {
		return true, a.offer(c, shown, s)
	}
	return true, a.take(c, shown, s, c.R.PostForm[takeRecord])
}

// offer offers the newest records of a source, or those that contain a text.
func (a *Filings) offer(c *page.Context, shown *formView, s layout.Source) error {
	view := &offerView{Source: s, Text: c.Value(takeText)}
	found, incomplete, err := a.offered(c, s, view.Text)
	if err != nil {
		return err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	var all []document
	err = c.View(func(tx page.Tx) (err error) { all, err = sourceRecords{s}.load(tx, ids); return err })
	for i, d := range all {
		view.Rows = append(view.Rows, offeredRow{ids[i], d.name(s), d.about(s)})
	}
	view.Incomplete, shown.Offer = incomplete, view
	return err
}

// offered returns records of a source without their large members, and why some may be missing.
func (a *Filings) offered(c *page.Context, s layout.Source, text string) (found []filing.Filing, incomplete string, err error) {
	fits := func(f *filing.Filing) bool {
		return f.Kind == s.Kind && f.Status != lifecycle.Archived && (s.Statuses == nil || slices.Contains(s.Statuses, string(f.Status)))
	}
	if text != "" {
		page, err := a.FindRecords(c.R.Context(), c.Session.Org, search.Query{Text: text, Limit: maxSearched})
		for _, r := range page.Records {
			if fits(&r.Filing) && len(found) < maxOffered {
				found = append(found, r.Filing)
			}
		}
		return found, page.Incomplete(), err
	}
	of := filing.Selection{Kind: s.Kind, Limit: maxOffered}
	for _, status := range s.Statuses {
		of.Statuses = append(of.Statuses, lifecycle.State(status))
	}
	err = c.View(func(tx page.Tx) error { found, err = tx.Select(of); return err })
	return slices.DeleteFunc(found, func(f filing.Filing) bool { return !fits(&f) }), "", err
}

// about describes a record in one line.
func (d document) about(s layout.Source) string {
	var parts []string
	for _, path := range s.About {
		if text := strings.Join(d.texts(path), ", "); text != "" && text != d.name(s) && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	about := []rune(strings.Join(parts, " · "))
	if len(about) > maxOfferedTexts {
		return string(about[:maxOfferedTexts]) + "…"
	}
	return string(about)
}

// take takes values from records, which are named by their ids, and by # and the number of an entry. If a record has several
// entries and none is named, they are offered.
func (a *Filings) take(c *page.Context, shown *formView, s layout.Source, chosen []string) error {
	most := 1
	if s.Several {
		most = maxTaken
	}
	chosen = chosen[:min(len(chosen), most)]
	ids, number := make([]string, len(chosen)), ""
	for i, text := range chosen {
		ids[i], number, _ = strings.Cut(strings.ToLower(text), "#")
	}
	var records []document
	err := c.View(func(tx page.Tx) (err error) { records, err = sourceRecords{s}.load(tx, ids); return err })
	if err != nil {
		return err
	}
	if s.Each != "" {
		if !chooseEntry(records[0], s, number) {
			shown.Offer = offerEntries(records[0], s)
			return nil
		}
	}
	shown.Taken = takeFrom(shown.FilledForm, s, records)
	return nil
}

// chooseEntry sets the chosen entry of a record, also if it has only one, and reports whether there is one to take or none.
func chooseEntry(d document, s layout.Source, number string) bool {
	entries := d.entries(s)
	n, err := strconv.Atoi(number)
	switch {
	case len(entries) == 1:
		n = 1
	case len(entries) == 0:
		return true
	case err != nil || n < 1 || n > len(entries):
		return false
	}
	d[entryMember] = entries[n-1]
	return true
}

// offerEntries offers the entries of a record.
func offerEntries(d document, s layout.Source) *offerView {
	view := &offerView{Source: s}
	for i, entry := range d.entries(s) {
		d[entryMember] = entry
		view.Rows = append(view.Rows, offeredRow{d.first("id") + "#" + strconv.Itoa(i+1), d.name(s) + ", item " + strconv.Itoa(i+1), d.about(s)})
	}
	return view
}

// takeFrom sets fields of a form from records, and says which.
func takeFrom(s *form.FilledForm, from layout.Source, records []document) *takenView {
	view := &takenView{Title: from.Title}
	for _, d := range records {
		view.Names = append(view.Names, d.name(from))
	}
	for _, t := range from.Take {
		var texts []string
		for _, d := range records {
			texts = append(texts, d.values(t)...)
		}
		target := s.FieldAt(t.Into)
		if target == nil || len(texts) == 0 || t.Fill && target.Value != "" {
			continue
		}
		switch {
		case t.Sum:
			texts = []string{sum(texts)}
		case t.Fill:
			texts = texts[:1]
		}
		if field, before := s.Set(t.Into, unique(texts)...); field != nil && field.Text() != before {
			view.Changes = append(view.Changes, takenValue{field.Name, field.Label, field.Text(), before})
		}
	}
	return view
}

// unique returns texts without repetitions, in their order.
func unique(texts []string) (all []string) {
	for _, text := range texts {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
