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

// Limits of the records that a field can name.
const (
	maxChoices = 200 // in a list to choose from; where there are more, one is typed by what it is called
	maxFound   = 50  // that have a text in what they are called
	maxLooked  = 2000
	maxNear    = 3 // that are named where none is called as was typed
)

// apart stands between what a record is called and the end of its id, where several
// are called the same.
const apart = " · "

// Find finds the latest records of a kind that have a text in what they go by.
type Find func(tx page.Tx, text string, limit int) ([]filing.Filing, error)

// choose makes a choice of a field that names a record.
func (a *Filings) choose(tx page.Tx, shown *formView, link filing.Need) error {
	other, field := a.of(link.Kind), shown.At(link.Field)
	if other == nil || field == nil {
		return nil
	}
	all, err := tx.Filings(filing.Query{Kind: link.Kind, Limit: maxChoices + 1})
	if err != nil {
		return err
	}
	if len(all) > maxChoices {
		return a.offer(tx, field, other, all[:maxChoices])
	}
	options := make([]form.Option, len(all))
	for i := range all {
		options[i] = form.Option{Value: all[i].ID, Label: other.title(&all[i])}
	}
	field.Choices(options...)
	return nil
}

// offer lets one of many records be typed by what it is called. The latest are offered.
func (a *Filings) offer(tx page.Tx, field *form.Field, k *kind, latest []filing.Filing) error {
	seen := map[string]bool{}
	for i := range latest {
		if title := k.title(&latest[i]); !seen[title] {
			seen[title] = true
			field.Offers = append(field.Offers, form.Option{Value: title})
		}
	}
	field.Hint = "What it is called, or its reference; the latest are offered as you type"
	if field.Value == "" {
		return nil
	}
	f, near, err := a.called(tx, k, field.Value)
	switch {
	case err != nil:
		return err
	case f != nil:
		field.Value, err = a.callingOf(tx, k, f)
		return err
	case near != nil:
		field.Hint = "There is “" + strings.Join(near, "”, “") + "”"
	}
	return nil
}

// callingOf is what is typed to name a record and no other.
func (a *Filings) callingOf(tx page.Tx, k *kind, f *filing.Filing) (string, error) {
	title := k.title(f)
	found, _, err := a.called(tx, k, title)
	if err == nil && found == nil {
		title += apart + tail(f.ID)
	}
	return title, err
}

func tail(id string) string { return id[max(0, len(id)-8):] }

// called is the one record that a text names: by its id, by what it is called, or by
// another of the things that lists say of it. Where none or several are meant it is nil,
// and those that come near are named.
func (a *Filings) called(tx page.Tx, k *kind, text string) (one *filing.Filing, near []string, err error) {
	if id := strings.ToLower(text); ident.IsUUID(id) {
		f, err := tx.Filing(k.Kind, id)
		if apierr.Is(err, apierr.NotFound) {
			return nil, nil, nil
		}
		return &f, nil, err
	}
	name, end, _ := strings.Cut(text, apart)
	found, err := a.find(tx, k, name)
	if err != nil {
		return nil, nil, err
	}
	meant := 0
	for i := range found {
		f := &found[i]
		if !strings.HasSuffix(f.ID, end) || !k.goesBy(f, name) {
			near = append(near, k.title(f)+apart+tail(f.ID))
			continue
		}
		one = f
		if meant++; meant > 1 {
			near = append(near, k.title(f)+apart+tail(f.ID))
		}
	}
	if meant != 1 {
		one = nil
	}
	return one, near[:min(len(near), maxNear)], nil
}

// find finds records that have a text in what they are called: by the index of their
// kind, or else among the latest.
func (a *Filings) find(tx page.Tx, k *kind, text string) ([]filing.Filing, error) {
	if find := a.Find[k.Kind]; find != nil {
		return find(tx, text, maxFound)
	}
	latest, err := tx.Filings(filing.Query{Kind: k.Kind, Limit: maxLooked})
	return slices.DeleteFunc(latest, func(f filing.Filing) bool {
		return !strings.Contains(alike(k.title(&f)), alike(text)) && !k.goesBy(&f, text)
	}), err
}

// goesBy reports whether a record is called so, by any of what lists say of it.
func (k *kind) goesBy(f *filing.Filing, text string) bool {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	return slices.ContainsFunc(k.members(k.gist(), body, f.Added), func(said *form.Field) bool {
		return said.Kind == form.Text && said.Value != "" && alike(said.Value) == alike(text)
	})
}

// alike is a text as it is compared: in capitals and without spaces.
func alike(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
}

// sent is the form of a kind as it was filled in, with the ids of the records that were
// typed by what they are called.
func (a *Filings) sent(c *page.Context, k *kind) (*form.Sheet, error) {
	values := url.Values{}
	for name, typed := range c.R.PostForm {
		values[name] = typed
	}
	err := c.View(func(tx page.Tx) error {
		for _, link := range k.Links {
			other, text := a.of(link.Kind), strings.TrimSpace(values.Get(link.Field))
			if other == nil || text == "" || ident.IsUUID(strings.ToLower(text)) {
				continue
			}
			f, _, err := a.called(tx, other, text)
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
