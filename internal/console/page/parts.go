package page

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// functions are what templates may call.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"asset":         func(name string) string { return s.assets[name].address },
		"field":         newField,
		"option":        func(value, label string) option { return option{value, label} },
		"list":          func(items ...any) []any { return items },
		"moment":        newMoment,
		"day":           func(t time.Time) string { return t.In(calendar.London()).Format("2 January 2006") },
		"tag":           newTag,
		"status":        statusTag,
		"heading":       func(title, text string) heading { return heading{title, text} },
		"empty":         func(title, text string) heading { return heading{title, text} },
		"pages":         func(first, next string) pages { return pages{first, next} },
		"record":        s.RecordPath,
		"country":       func(code any) string { return ident.Country(fmt.Sprint(code)).Called() },
		"countries":     countryOptions,
		"severity":      SeverityTag,
		"reviewSummary": ReviewSummary,
		"role":          roleName,
		"roles":         roleOptions,
	}
}

// field is one question of a form, with its label, hint and error.
type field struct {
	Name, Label  string
	Value, Error string
	Type         string // of an input: text, email, password, number, date
	Hint         string
	Autocomplete string
	Width        string // as much as the answer needs: short, medium, or all there is
	Inputmode    string
	Optional     bool
	Checked      bool
	Options      []option // of a choice
}

type option struct{ Value, Label string }

// newField makes a field from a page, a name, a label, the value that is stored, and
// pairs: type, hint, autocomplete, width, inputmode, optional, options. What was typed
// before outweighs what is stored, except in a password.
func newField(p Page, name, label string, stored any, pairs ...any) (field, error) {
	f := field{Name: name, Label: label, Type: "text", Value: fmt.Sprint(stored), Error: p.Problem.Of(name)}
	if stored == nil {
		f.Value = ""
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if err := f.set(pairs[i], pairs[i+1]); err != nil {
			return f, fmt.Errorf("field %s: %w", name, err)
		}
	}
	if checked, is := stored.(bool); is {
		f.Type, f.Checked = "checkbox", checked
	}
	if p.Problem != nil && (p.sent.Has(name) || f.Type == "checkbox") {
		f.Value, f.Checked = p.sent.Get(name), p.sent.Has(name)
	}
	if f.Type == "password" {
		f.Value = ""
	}
	return f, nil
}

func (f *field) set(key, value any) error {
	if options, ok := value.([]any); ok && key == "options" {
		for _, o := range options {
			f.Options = append(f.Options, o.(option))
		}
		return nil
	}
	if options, ok := value.([]option); ok && key == "options" {
		f.Options = options
		return nil
	}
	text := fmt.Sprint(value)
	switch key {
	case "type":
		f.Type = text
	case "hint":
		f.Hint = text
	case "autocomplete":
		f.Autocomplete = text
	case "width":
		f.Width = text
	case "inputmode":
		f.Inputmode = text
	case "optional":
		f.Optional = true
	default:
		return fmt.Errorf("no %v", key)
	}
	return nil
}

// DescribedBy names the hint and the error, for those who cannot see that they are near.
func (f field) DescribedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.Name+"-hint")
	}
	if f.Error != "" {
		ids = append(ids, f.Name+"-error")
	}
	return strings.Join(ids, " ")
}

// nations are all countries to choose from, and none.
func countryOptions() []option {
	all := []option{{"", "Not said"}}
	for _, c := range ident.Countries() {
		all = append(all, option{string(c), c.Called()})
	}
	return all
}

// roles are those to choose from, the least first.
func roleOptions() (all []option) {
	for _, r := range []tenant.Role{tenant.Viewer, tenant.Member, tenant.Owner} {
		all = append(all, option{string(r), roleName(r)})
	}
	return all
}

// roleInWords is a role as people write it: OWNER is Owner.
func roleName(r tenant.Role) string {
	if r == "" {
		return ""
	}
	return string(r[:1]) + strings.ToLower(string(r[1:]))
}

// heading is that of a page, or of what is shown where there is nothing yet.
type heading struct{ Title, Text string }

// pages are the addresses of the first page of a list and of the next; empty for none.
type pages struct{ First, Next string }

// moment is an instant as people see it: by the clocks of London, or of the browser
// where it runs scripts, with UTC in the title.
type moment struct {
	Zero               bool
	Machine, UTC, Text string
}

func newMoment(t time.Time) moment {
	return moment{t.IsZero(), audit.Instant(t), t.UTC().Format("2 January 2006 15:04:05 UTC"), t.In(calendar.London()).Format("2 Jan 2006, 15:04")}
}

// Tag is a word that stands out, in one of the colours that mean something: good,
// bad, wait, note, or none.
type Tag struct{ Text, Kind string }

func newTag(text, kind string) Tag { return Tag{text, kind} }

// kinds are the colours of the statuses of filings and deliveries.
var statusColours = map[string]string{
	"SUBMITTED": "wait", "PENDING": "wait", "OPEN": "note", "ACCEPTED": "note", "IN_TRANSIT": "note",
	"CLEARED": "good", "APPROVED": "good", "DELIVERED": "good", "FULFILLED": "good",
	"REJECTED": "bad", "OVERDUE": "bad", "EXPIRED": "bad", "FAILED": "bad",
}

// statusTag is a status in words: IN_TRANSIT is In transit.
func statusTag(status any) Tag {
	name := fmt.Sprint(status)
	text := strings.ToLower(strings.ReplaceAll(name, "_", " "))
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return Tag{text, statusColours[name]}
}
