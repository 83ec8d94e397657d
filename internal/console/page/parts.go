package page

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// functions are the template functions of every page.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"asset":         func(name string) string { return s.assets[name].address },
		"field":         newField,
		"option":        func(value, label string) Option { return Option{value, label} },
		"list":          func(items ...any) []any { return items },
		"moment":        newMoment,
		"date":          Date,
		"day":           func(t time.Time) string { return t.In(calendar.London()).Format("2 January 2006") },
		"tag":           newTag,
		"status":        statusTag,
		"heading":       func(title, text string) heading { return heading{title, text} },
		"empty":         func(title, text string) heading { return heading{title, text} },
		"pages":         func(first, next string) pages { return pages{first, next} },
		"record":        s.RecordPath,
		"country":       func(code any) string { return ident.Country(fmt.Sprint(code)).NameAndCode() },
		"countries":     countryOptions,
		"severity":      SeverityTag,
		"reviewSummary": ReviewSummary,
		"role":          roleName,
		"roles":         roleOptions,
		"number":        groupDigits,
	}
}

// field is one field of a form, with its label, hint and error.
type field struct {
	Name, Label  string
	Value, Error string
	Type         string // of the input element: text, email, password, number, date or checkbox
	Hint         string
	Autocomplete string
	Width        string // short, medium, or empty for the full width
	Inputmode    string
	Optional     bool
	Focus        bool // it has the focus when the page opens, unless the page names problems
	Checked      bool
	Options      []Option // of a select element
}

// Option is a choice of a select element.
type Option struct{ Value, Label string }

// newField returns a field with a name, a label, the stored value, and pairs of an attribute
// and its value: type, hint, autocomplete, width, inputmode, optional, focus, options. A submitted
// value replaces the stored one, except for a password.
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
	f.Focus = f.Focus && p.Problem == nil
	return f, nil
}

func (f *field) set(key, value any) error {
	if options, ok := value.([]any); ok && key == "options" {
		for _, o := range options {
			f.Options = append(f.Options, o.(Option))
		}
		return nil
	}
	if options, ok := value.([]Option); ok && key == "options" {
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
	case "focus":
		f.Focus = value == true
	default:
		return fmt.Errorf("unknown attribute %v", key)
	}
	return nil
}

// DescribedBy returns the ids of the hint and the error, for screen readers.
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

// countryOptions are all countries, and the empty choice.
func countryOptions() []Option {
	all := []Option{{"", "Not set"}}
	for _, c := range ident.Countries() {
		all = append(all, Option{string(c), c.NameAndCode()})
	}
	return all
}

// roleOptions are all roles, the lowest first.
func roleOptions() (all []Option) {
	for _, r := range []tenant.Role{tenant.Viewer, tenant.Member, tenant.Owner} {
		all = append(all, Option{string(r), roleName(r)})
	}
	return all
}

// roleName returns a role as pages show it: Owner for OWNER.
func roleName(r tenant.Role) string {
	if r == "" {
		return ""
	}
	return string(r[:1]) + strings.ToLower(string(r[1:]))
}

// heading is the heading of a page, or of an empty list.
type heading struct{ Title, Text string }

// pages are the URLs of the first and the next page of a list; empty if there is none.
type pages struct{ First, Next string }

// moment is an instant as pages show it: in London time, which a script changes to the
// browser's time zone, with UTC in the tooltip.
type moment struct {
	Zero               bool
	Machine, UTC, Text string
}

func newMoment(t time.Time) moment {
	return moment{t.IsZero(), audit.Instant(t), t.UTC().Format("2 January 2006 15:04:05 UTC"), t.In(calendar.London()).Format("2 Jan 2006, 15:04")}
}

// Date writes a date of a record in words: 1 October 2026 for 2026-10-01. Any other text is returned as it is.
func Date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 January 2006")
}

// Tag is a highlighted word. Kind is its colour: good, bad, wait, note, or none.
type Tag struct{ Text, Kind string }

func newTag(text, kind string) Tag { return Tag{text, kind} }

// statusColours are the tag colours of the statuses of filings and deliveries.
var statusColours = map[string]string{
	"SUBMITTED": "wait", "PENDING": "wait", "OPEN": "note", "ACCEPTED": "note", "IN_TRANSIT": "note",
	"CLEARED": "good", "APPROVED": "good", "DELIVERED": "good", "FULFILLED": "good",
	"REJECTED": "bad", "OVERDUE": "bad", "EXPIRED": "bad", "FAILED": "bad",
}

// statusTag returns the tag of a status: In transit for IN_TRANSIT.
func statusTag(status any) Tag {
	name := fmt.Sprint(status)
	text := strings.ToLower(strings.ReplaceAll(name, "_", " "))
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return Tag{text, statusColours[name]}
}

// groupDigits writes a number with commas between its thousands.
func groupDigits(n any) string { return quantity.Grouped(fmt.Sprint(n)) }
