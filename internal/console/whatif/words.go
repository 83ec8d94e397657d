package whatif

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// request makes the body of the API from the form.
func request(c *page.Context) map[string]any {
	source, change := map[string]any{}, map[string]any{}
	switch c.Value("source") {
	case sourceProducts:
		source["products"] = true
	case sourceDeclarations:
		d := map[string]any{"from": c.Value("from"), "to": c.Value("to")}
		if status := c.Value("status"); status != "" {
			d["status"] = status
		}
		source["declarations"] = d
	}
	for _, name := range []string{"origin", "dispatchCountry", "destination", "date", "incoterm"} {
		if v := c.Value(name); v != "" {
			change[name] = v
		}
	}
	if v := c.Value("edition"); v != "" {
		change["edition"] = v
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			change["edition"] = n
		}
	}
	if c.Value("proof") != "" {
		change["facts"] = map[string]any{"proofOfOrigin": "HELD"}
	}
	if c.Value("cbam") != "" {
		change["cbam"] = true
	}
	body := map[string]any{"source": source, "change": change}
	if by := c.Value("groupBy"); by != "" {
		body["groupBy"] = []string{by}
	}
	return body
}

// fieldsOfForm names the fields of the form in an error of the API.
func fieldsOfForm(err error) error {
	f, ok := apierr.As(err)
	if !ok || f.Details == nil {
		return err
	}
	details := make([]apierr.Detail, len(f.Details))
	for i, d := range f.Details {
		field := strings.TrimPrefix(strings.TrimPrefix(d.Field, "source.declarations."), "change.")
		if strings.HasPrefix(field, "groupBy") {
			field = "groupBy"
		}
		details[i] = apierr.Detail{Field: field, Message: d.Message}
		if d.Field == "change" {
			details[i].Message = "must say at least one thing that is different"
		}
	}
	return apierr.Invalid(details...)
}

// incoterms are the terms of delivery that a form offers, and the empty choice.
func incoterms() []page.Option {
	all := []page.Option{{Label: "Not changed"}}
	for _, term := range worksheet.Incoterms {
		all = append(all, page.Option{Value: term, Label: term})
	}
	return all
}

// sourceText says which goods a what-if computes.
func sourceText(s whatif.Settings) string {
	switch {
	case s.Products:
		return "All products of the catalogue"
	case s.Declarations == nil:
		return "Lines that a program sent"
	}
	text := "Import declarations from " + page.Date(s.Declarations.From) + " to " + page.Date(s.Declarations.To)
	if s.Declarations.Status != "" {
		text += ", " + strings.ToLower(strings.ReplaceAll(s.Declarations.Status, "_", " "))
	}
	return text
}

// changeText says what is different.
func changeText(c whatif.Change) string {
	var all []string
	add := func(name, value string) {
		if value != "" {
			all = append(all, name+" "+value)
		}
	}
	if c.Origin != "" {
		add("origin", ident.Country(c.Origin).NameAndCode())
	}
	if c.DispatchCountry != "" {
		add("dispatched from", ident.Country(c.DispatchCountry).NameAndCode())
	}
	add("destination", c.Destination)
	add("on", page.Date(c.Date))
	add("Incoterm", c.Incoterm)
	if c.Edition != nil {
		add("edition", strconv.FormatInt(*c.Edition, 10))
	}
	if c.Facts != nil {
		all = append(all, "with other facts")
	}
	if c.CBAM {
		all = append(all, "with UK CBAM")
	}
	text := strings.Join(all, ", ")
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// groupText is the key of a group.
func groupText(g whatif.Group, by []string) string {
	values := make([]string, len(by))
	for i, name := range by {
		if values[i] = g.Key[name]; values[i] == "" {
			values[i] = "Not known"
		}
	}
	return strings.Join(values, ", ")
}
