package filings

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Limits of the records that a field can refer to.
const (
	maxChoices = 200 // choices of a list; if there are more, the name is typed
	maxFound   = 50  // search results
	maxScanned = 2000
	maxSimilar = 3 // similar names in an error
)

// idSeparator separates a record's name from the end of its id, if several records have
// the same name.
const idSeparator = " · "

// Find returns the latest records of a kind whose names contain a text.
type Find func(tx page.Tx, text string, limit int) ([]filing.Filing, error)

// setChoices sets the choices of a field that refers to another record.
func (a *Filings) setChoices(tx page.Tx, shown *formView, link filing.Need) error {
	other, field := a.kindNamed(link.Kind), shown.FieldAt(link.Field)
	if other == nil || field == nil {
		return nil
	}
	all, err := tx.Filings(filing.Query{Kind: link.Kind, Status: other.Lifecycle.Listed(), Limit: maxChoices + 1})
	if err != nil {
		return err
	}
	if len(all) > maxChoices {
		return a.suggestNames(tx, field, other, all[:maxChoices])
	}
	options := make([]form.Option, len(all))
	for i := range all {
		options[i] = form.Option{Value: all[i].ID, Label: other.title(&all[i])}
	}
	field.Choices(options...)
	return nil
}

// suggestNames makes a field a text field for a record's name, with the latest names as suggestions.
func (a *Filings) suggestNames(tx page.Tx, field *form.Field, k *kind, latest []filing.Filing) error {
	seen := map[string]bool{}
	for i := range latest {
		if title := k.title(&latest[i]); !seen[title] {
			seen[title] = true
			field.Datalist = append(field.Datalist, form.Option{Value: title})
		}
	}
	field.Hint = "Enter its name or reference. The latest records are suggested as you type."
	if field.Value == "" {
		return nil
	}
	f, similar, err := a.recordNamed(tx, k, field.Value)
	switch {
	case err != nil:
		return err
	case f != nil:
		field.Value, err = a.uniqueName(tx, k, f)
		return err
	case similar != nil:
		field.Hint = "Similar records: “" + strings.Join(similar, "”, “") + "”"
	}
	return nil
}

// uniqueName returns a name that identifies a record.
func (a *Filings) uniqueName(tx page.Tx, k *kind, f *filing.Filing) (string, error) {
	title := k.title(f)
	found, _, err := a.recordNamed(tx, k, title)
	if err == nil && found == nil {
		title += idSeparator + tail(f.ID)
	}
	return title, err
}

func tail(id string) string { return id[max(0, len(id)-8):] }

// recordNamed returns the record with this id, this name, or this value in one of the members
// that lists show. If there is none or more than one, it returns nil and similar names.
func (a *Filings) recordNamed(tx page.Tx, k *kind, text string) (one *filing.Filing, similar []string, err error) {
	if id := strings.ToLower(text); ident.IsUUID(id) {
		f, err := tx.Filing(k.Kind, id)
		if apierr.Is(err, apierr.NotFound) {
			return nil, nil, nil
		}
		return &f, nil, err
	}
	name, end, _ := strings.Cut(text, idSeparator)
	found, err := a.find(tx, k, name)
	if err != nil {
		return nil, nil, err
	}
	matches := 0
	for i := range found {
		f := &found[i]
		if !strings.HasSuffix(f.ID, end) || !k.hasName(f, name) {
			similar = append(similar, k.title(f)+idSeparator+tail(f.ID))
			continue
		}
		one = f
		if matches++; matches > 1 {
			similar = append(similar, k.title(f)+idSeparator+tail(f.ID))
		}
	}
	if matches != 1 {
		one = nil
	}
	return one, similar[:min(len(similar), maxSimilar)], nil
}

// find returns records whose names contain a text: by the index of their kind, or otherwise
// among the latest maxScanned.
func (a *Filings) find(tx page.Tx, k *kind, text string) ([]filing.Filing, error) {
	if find := a.Find[k.Kind]; find != nil {
		return find(tx, text, maxFound)
	}
	latest, err := tx.Filings(filing.Query{Kind: k.Kind, Limit: maxScanned})
	return slices.DeleteFunc(latest, func(f filing.Filing) bool {
		return !strings.Contains(normalName(k.title(&f)), normalName(text)) && !k.hasName(&f, text)
	}), err
}

// hasName reports whether any member that lists show has this text.
func (k *kind) hasName(f *filing.Filing, text string) bool {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	return slices.ContainsFunc(k.members(k.listMembers(), body, f.Added), func(f *form.Field) bool {
		return f.Kind == form.Text && f.Value != "" && normalName(f.Value) == normalName(text)
	})
}

// normalName returns a name in upper case and without spaces, for comparison.
func normalName(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
}

// readForm reads the submitted form of a kind; names of records are replaced by their ids.
func (a *Filings) readForm(c *page.Context, k *kind) (*form.FilledForm, error) {
	values := url.Values{}
	for name, typed := range c.R.PostForm {
		values[name] = typed
	}
	err := c.View(func(tx page.Tx) error {
		for _, link := range k.Links {
			other, text := a.kindNamed(link.Kind), strings.TrimSpace(values.Get(link.Field))
			if other == nil || text == "" || ident.IsUUID(strings.ToLower(text)) {
				continue
			}
			f, _, err := a.recordNamed(tx, other, text)
			if err != nil {
				return err
			}
			if f != nil {
				values.Set(link.Field, f.ID)
			}
		}
		return nil
	})
	return k.body.Read(values), err
}
