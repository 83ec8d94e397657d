package form_test

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// crate has a member of every kind that a body may have.
type crate struct {
	Name    string           `json:"name" minLength:"1" maxLength:"20" doc:"What it is called"`
	Notes   string           `json:"notes,omitempty" maxLength:"2000"`
	Kind    string           `json:"kind,omitempty" enum:"NOT_AT_RISK,GB_NI"`
	Sealed  *bool            `json:"sealed,omitempty"`
	Value   *quantity.Money  `json:"valueGbp,omitempty" minimum:"0"`
	Count   *int64           `json:"count,omitempty" minimum:"0"`
	At      *time.Time       `json:"packedAt,omitempty"`
	Day     string           `json:"day,omitempty" format:"date"`
	Origin  string           `json:"origin,omitempty" format:"country"`
	Code    string           `json:"code,omitempty" pattern:"^[0-9]{4}$" example:"4000"`
	Tags    []string         `json:"tags,omitempty" maxItems:"9" nullable:"false"`
	Figures []quantity.Money `json:"figures,omitempty" nullable:"false"`
	Owner   *owner           `json:"owner,omitempty"`
	Parts   []part           `json:"parts" minItems:"1" maxItems:"3" nullable:"false"`
	Form    filing.FreeForm  `json:"form,omitempty"`
	Any     any              `json:"any,omitempty"`
}

type part struct {
	Description string         `json:"description" minLength:"1" maxLength:"40"`
	Mass        *quantity.Mass `json:"netMassKg,omitempty" minimum:"0"`
	Bolts       []bolt         `json:"bolts,omitempty" nullable:"false"`
}

type bolt struct {
	Size string `json:"size" maxLength:"10"`
}

type owner struct {
	Name string `json:"name" maxLength:"20"`
	Next *owner `json:"next,omitempty"`
}

func crates() *form.Form { return form.New(schema.NewSchemas(), reflect.TypeFor[crate](), nil) }

// full has every member, each in its least usual notation.
const full = `{"name":"Tea","notes":"two\nlines","kind":"GB_NI","sealed":false,"valueGbp":1850.00,"count":12,"packedAt":"2026-06-24T06:00:00.250Z","day":"2026-11-24",` +
	`"origin":"CN","code":"4000","tags":["a","b c"],"figures":[1.50,2],"owner":{"name":"Ann","next":{"name":"Bo"}},` +
	`"parts":[{"description":"Lid","netMassKg":0.1},{"description":"Box","bolts":[{"size":"M6"},{"size":"M8"}]}],` +
	`"form":{"companyName":"Harbour","turnover":12.50,"dormant":true,"sic":["47599","1"],"nested":{"a":[1,{"b":null}]},"none":null,"empty":"","blank":[]},"any":[{"x":1}]}`

// pages are the templates of fields, with stand-ins for the console's templates that they use.
var pages = func() *template.Template {
	t := template.New("").Funcs(template.FuncMap{"moment": func(t time.Time) time.Time { return t }, "severity": page.SeverityTag})
	template.Must(t.Parse(`{{define "label"}}<label for="{{.Name}}">{{.Label}}</label>{{template "hints" .}}{{end}}{{define "hints"}}{{.Hint}}{{.Error}}{{end}}{{define "time"}}{{.}}{{end}}`))
	return template.Must(t.ParseFS(form.Parts(), "*.html"))
}()

// sent returns what a browser submits for an unchanged form.
func sent(t testing.TB, s *form.FilledForm) url.Values {
	t.Helper()
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "form-fields", s.Fields); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	values := url.Values{}
	for n := range root.Descendants() {
		of := map[string]string{}
		for _, a := range n.Attr {
			of[a.Key] = a.Val
		}
		switch n.Data {
		case "input":
			if _, checked := of["checked"]; of["type"] != "checkbox" || checked {
				values.Add(of["name"], of["value"])
			}
		case "textarea":
			text := ""
			for c := range n.ChildNodes() {
				text += c.Data
			}
			values.Add(of["name"], strings.ReplaceAll(text, "\n", "\r\n"))
		case "select":
			for o := range n.ChildNodes() {
				if slices.ContainsFunc(o.Attr, func(a html.Attribute) bool { return a.Key == "selected" }) {
					values.Add(of["name"], o.Attr[0].Val)
				}
			}
		}
	}
	return values
}

// A body that is rendered and submitted unchanged stays the same, byte for byte, including numbers,
// timestamps and free-form members.
func TestRoundTrip(t *testing.T) {
	f := crates()
	s := f.Read(sent(t, f.Fill([]byte(full))))
	if string(s.Body) != full || s.Errors != nil {
		t.Errorf("got\n%s\nwant\n%s\n%v", s.Body, full, s.Errors)
	}
}

// The example of every filing kind survives the round trip unchanged and without errors.
func TestExamples(t *testing.T) {
	kinds := append(app.Kinds(), customs.Declarations(nil, nil, nil).Type())
	schemas := schema.NewSchemas()
	for _, k := range kinds {
		f, want := form.New(schemas, k.Body, k.ChoiceTexts), exampleOf(t, k.Body)
		s := f.Read(sent(t, f.Fill(want)))
		if string(s.Body) != string(want) || s.Errors != nil {
			t.Errorf("%s: got\n%s\nwant\n%s\n%v", k.Kind, s.Body, want, s.Errors)
		}
	}
}

// exampleOf returns a body made from the examples in a struct's tags.
func exampleOf(t *testing.T, of reflect.Type) json.RawMessage {
	t.Helper()
	body := "{"
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := field.Tag.Get("example")
		elem := field.Type
		for elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		switch {
		case value == "" && elem.Kind() == reflect.Slice && elem != reflect.TypeFor[filing.Content]():
			value = "[" + string(exampleOf(t, elem.Elem())) + "]"
		case value == "":
			continue
		case elem.Kind() == reflect.String || elem == reflect.TypeFor[time.Time]():
			quoted, _ := json.Marshal(value)
			value = string(quoted)
		}
		if body != "{" {
			body += ","
		}
		body += `"` + name + `":` + value
	}
	if !json.Valid([]byte(body + "}")) {
		t.Fatalf("not JSON: %s}", body)
	}
	return json.RawMessage(body + "}")
}

// Input becomes a body: spaces, pound signs and thousands separators are removed, times are in
// London, country codes are upper case, and empty fields are left out.
func TestTyped(t *testing.T) {
	for _, c := range []struct{ name, typed, want string }{
		{"name", "  Tea  ", `"name":"Tea"`},
		{"valueGbp", "£1,850.50", `"valueGbp":1850.50`},
		{"valueGbp", "1,850,000", `"valueGbp":1850000`},
		{"valueGbp", ".5", `"valueGbp":0.5`},
		{"count", "007", `"count":7`},
		{"count", "0", `"count":0`},
		{"packedAt", "2026-06-24T06:00", `"packedAt":"2026-06-24T05:00:00Z"`},
		{"packedAt", "2026-11-24T06:00:30", `"packedAt":"2026-11-24T06:00:30Z"`},
		{"packedAt", "24/6/2026 06:00", `"packedAt":"2026-06-24T05:00:00Z"`},
		{"packedAt", "24 November 2026, 06:00", `"packedAt":"2026-11-24T06:00:00Z"`},
		{"packedAt", "2026-10-25T01:30", `"packedAt":"2026-10-25T01:30:00Z"`},
		{"day", "24/11/2026", `"day":"2026-11-24"`},
		{"origin", "cn", `"origin":"CN"`},
		{"tags", " a \r\n\r\n b", `"tags":["a","b"]`},
		{"figures", "1.50\r\n2", `"figures":[1.50,2]`},
		{"sealed", "true", `"sealed":true`},
		{"any~json", " [1, 2] ", `"any":[1,2]`},
		{"owner.next.name", "Bo", `"owner":{"next":{"name":"Bo"}}`},
	} {
		s := crates().Read(url.Values{c.name: {c.typed}})
		if !strings.Contains(string(s.Body), c.want) {
			t.Errorf("%s %q: %s", c.name, c.typed, s.Body)
		}
	}
	if s := crates().Read(url.Values{"notes": {"  "}, "tags": {"\r\n"}, "kind": {""}}); string(s.Body) != `{"tags":[],"parts":[{}]}` && string(s.Body) != `{"parts":[{}]}` {
		t.Errorf("empty form: %s", s.Body)
	}
}

// Each error is shown once, as a sentence at the control of its input, and the input is kept.
func TestErrors(t *testing.T) {
	values := url.Values{
		"kind": {"OTHER"}, "valueGbp": {"12,5"}, "count": {"1.5"}, "packedAt": {"soon"}, "origin": {"Atlantis"}, "code": {"4"},
		"figures": {"1\nx"}, "owner.next.name": {"Bo"}, "parts[4].netMassKg": {"-1"},
		"form~0~name": {"a"}, "form~0~type": {"number"}, "form~0~value": {"many"}, "form~1~name": {"a"}, "form~1~value": {"b"}, "form~2~value": {"c"},
		"any~json": {"{"},
	}
	want := map[string]string{
		"name": "Name is required", "kind": "Kind must be one of the choices", "valueGbp": "Value (£) must be a number, such as 12.5",
		"count": "Count must be a whole number, written without a point or an exponent", "packedAt": "Packed must be a date and a time, such as 24/11/2026 06:00",
		"origin": "Origin must be a country by its name or its two letters, such as GB", "code": "Code must look like 4000",
		"figures": "Figures must be a number, such as 12.5", "owner.name": "Name is required",
		"parts[0].description": "Part 1: Description is required", "parts[0].netMassKg": "Part 1: Net mass (kg) must not be negative",
		"form~0~value": "A: Value must be a number, such as 12.5", "form~1~name": "A: Name appears more than once", "form~2~name": "Form 3: Name is required",
		"any": "Any is not valid JSON",
	}
	s := crates().Read(values)
	got := map[string]string{}
	for _, d := range s.Errors {
		if got[d.Field] != "" {
			t.Errorf("%s has two errors", d.Field)
		}
		got[d.Field] = d.Message
		if f := s.FieldAt(d.Field); f == nil || f.Error == "" || !strings.HasSuffix(d.Message, f.Error) {
			t.Errorf("the error of %s is not at its field", d.Field)
		}
	}
	for field, message := range want {
		if got[field] != message {
			t.Errorf("%s: %q, not %q", field, got[field], message)
		}
		delete(got, field)
	}
	if len(got) > 0 {
		t.Errorf("unexpected errors: %v", got)
	}
	back := sent(t, s)
	for name, typed := range map[string]string{"valueGbp": "12,5", "packedAt": "soon", "any~json": "{", "form~0~value": "many", "parts[0].netMassKg": "-1", "kind": "OTHER"} {
		if back.Get(name) != typed {
			t.Errorf("%s: %q became %q", name, typed, back.Get(name))
		}
	}
}

// An error or finding about a value without a control is shown at the nearest control that contains it.
func TestMark(t *testing.T) {
	s := crates().Fill([]byte(full))
	s.AddErrors(apierr.Detail{Field: "tags[1]", Message: "is unknown"}, apierr.Detail{Field: "form.companyName", Message: "is short"}, apierr.Detail{Field: "form.absent", Message: "is required"}, apierr.Detail{Field: "parts[1].bolts[1].size", Message: "is odd"}, apierr.Detail{Field: "elsewhere", Message: "is wrong"})
	var got []string
	for _, d := range s.Errors {
		got = append(got, d.Field+": "+d.Message)
	}
	want := []string{
		"tags: Tags in line 2 is unknown", "form~0~value: Company name: Value is short", "form: Form is required",
		"parts[1].bolts[1].size: Bolt 2: Size is odd", "elsewhere: Elsewhere is wrong",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The buttons add and remove rows at any depth without reporting errors. A new row gets the focus.
func TestRows(t *testing.T) {
	with := func(name, value string) url.Values {
		v := sent(t, crates().Fill([]byte(full)))
		v.Set(name, value)
		return v
	}
	for _, c := range []struct {
		name   string
		values url.Values
		want   string
		focus  string
	}{
		{"add", with("add", "parts"), `"parts":[{"description":"Lid","netMassKg":0.1},{"description":"Box","bolts":[{"size":"M6"},{"size":"M8"}]},{}]`, "parts[2].description"},
		{"remove", with("remove", "parts[0]"), `"parts":[{"description":"Box","bolts":[{"size":"M6"},{"size":"M8"}]}]`, ""},
		{"add below", with("add", "parts[0].bolts"), `{"description":"Lid","netMassKg":0.1,"bolts":[{}]}`, "parts[0].bolts[0].size"},
		{"remove below", with("remove", "parts[1].bolts[0]"), `"bolts":[{"size":"M8"}]`, ""},
		{"remove free", with("remove", "form~0"), `"form":{"turnover":12.50`, ""},
		{"add free", with("add", "form"), `"form":{"companyName":"Harbour"`, "form~8~name"},
	} {
		s := crates().Read(c.values)
		if !s.RowsChanged || s.Errors != nil || !strings.Contains(string(s.Body), c.want) {
			t.Errorf("%s: %t %v %s", c.name, s.RowsChanged, s.Errors, s.Body)
		}
		if c.focus != "" && (s.FieldAt(c.focus) == nil || !s.FieldAt(c.focus).Focus) {
			t.Errorf("%s: the focus is not at %s", c.name, c.focus)
		}
	}
	if s := crates().Read(with("parts[2].description", " ")); len(s.FieldAt("parts").Rows) != 2 || s.Errors != nil {
		t.Errorf("an empty row was kept: %s", s.Body)
	}
	v := with("parts[2].description", "Third")
	v.Set("add", "parts")
	if s := crates().Read(v); len(s.FieldAt("parts").Rows) != 3 || !s.RowsChanged {
		t.Errorf("a list of at most 3 has %d rows", len(s.FieldAt("parts").Rows))
	}
}

// A form of some members validates only these. Over merges them into a body and removes members that
// were cleared.
func TestOnly(t *testing.T) {
	f := crates().Select("tags", "kind")
	s := f.Read(url.Values{"kind": {"NOT_AT_RISK"}})
	if s.Errors != nil || string(s.Body) != `{"kind":"NOT_AT_RISK"}` {
		t.Errorf("%v %s", s.Errors, s.Body)
	}
	whole, err := s.ApplyTo([]byte(`{"name":"Tea","tags":["a"],"kind":"GB_NI"}`))
	if err != nil || string(whole) != `{"name":"Tea","kind":"NOT_AT_RISK"}` {
		t.Errorf("%s %v", whole, err)
	}
	if s := crates().Without("parts").Read(url.Values{}); len(s.Errors) != 1 || s.Errors[0].Field != "name" {
		t.Errorf("%v", s.Errors)
	}
}

// Labels use the standard terms of customs and tax.
func TestLabels(t *testing.T) {
	for member, want := range map[string]string{
		"customsValueGbp": "Customs value (£)", "netMassKg": "Net mass (kg)", "embeddedEmissionsKgCo2": "Embedded emissions (kg CO₂)",
		"traderEori": "Trader EORI", "vatNumber": "VAT number", "clientId": "Client", "gmrId": "GMR ID", "addressLine1": "Address line 1",
		"ukimsAuthNumber": "UKIMS authorisation number", "scheduledDispatchAt": "Scheduled dispatch", "lrn": "LRN", "vehicleReg": "Vehicle registration",
	} {
		if got := form.Label(member); got != want {
			t.Errorf("%s: %q, not %q", member, got, want)
		}
	}
	for answer, want := range map[string]string{"NOT_AT_RISK": "Not at risk", "CIF": "CIF", "DUAL_USE_SIEL": "Dual use SIEL", "TYPICAL_OF_GOODS": "Typical of goods", "SEA": "Sea", "GB_NI": "GB to NI"} {
		if got := form.Words(answer); got != want {
			t.Errorf("%s: %q, not %q", answer, got, want)
		}
	}
}

// A kind's own text for an answer is used in the choice and in texts of rules, also in a form of some
// members.
func TestAnswers(t *testing.T) {
	whole := form.New(schema.NewSchemas(), reflect.TypeFor[crate](), map[string]string{"NOT_AT_RISK": "Stays here"})
	for _, f := range []*form.Form{whole, whole.Select("kind")} {
		s := f.Fill([]byte(`{"kind":"NOT_AT_RISK"}`))
		if got := s.FieldAt("kind").Text(); got != "Stays here" {
			t.Errorf("the choice is shown as %q", got)
		}
		if got := s.ReplaceNames("Claim NOT_AT_RISK."); got != "Claim “Stays here”." {
			t.Errorf("the text of a rule is %q", got)
		}
	}
}

// Every answer for which a kind has a text is one of its choices.
func TestAnswersOfKinds(t *testing.T) {
	schemas := schema.NewSchemas()
	count := 0
	for _, k := range app.Kinds() {
		sheets := []*form.FilledForm{form.New(schemas, k.Body, k.ChoiceTexts).Blank()}
		if k.Adds != nil {
			sheets = append(sheets, form.New(schemas, k.Adds, k.ChoiceTexts).Blank())
		}
		for answer, words := range k.ChoiceTexts {
			count++
			asked := func(f *form.Field) bool { return slices.Contains(f.Options, form.Option{Value: answer, Label: words}) }
			if !slices.ContainsFunc(sheets, func(s *form.FilledForm) bool { return slices.ContainsFunc(s.Fields, asked) }) {
				t.Errorf("%s: %s is not a choice", k.Kind, answer)
			}
		}
	}
	if count < 15 {
		t.Errorf("only %d answers have texts", count)
	}
}

// Texts of rules use the labels of the form; other words are unchanged.
func TestInWords(t *testing.T) {
	s := crates().Blank()
	for text, want := range map[string]string{
		"Give valueGbp, or claim NOT_AT_RISK.": "Give “Value (£)”, or claim “Not at risk”.",
		"Give netMassKg.":                      "Give “Net mass (kg)”.",
		"The macOS tag of ACME_9 is a name.":   "The macOS tag of ACME_9 is a name.",
		"packedAt.":                            "“Packed”.",
		"packedAt.hour":                        "“Packed” as hour",
	} {
		if got := s.ReplaceNames(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// A request creates only rows that have values, whatever row numbers it contains.
func TestRowNumbers(t *testing.T) {
	s := crates().Read(url.Values{"parts[99999999].description": {"Lid"}, "parts[7].bolts[88888].size": {"M6"}})
	if rows := s.FieldAt("parts").Rows; len(rows) != 2 || string(s.Body) != `{"parts":[{"bolts":[{"size":"M6"}]},{"description":"Lid"}]}` {
		t.Errorf("%d rows: %s", len(rows), s.Body)
	}
}

// Every valid body survives the round trip unchanged, except that empty values are left out.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(`{"name":"\u0000 <b>","parts":[{"description":"\r"}],"form":{" ":{}," a":"\n","b":" x "}}`))
	f.Add([]byte(`{"name":"x","parts":[{"description":"y","bolts":[]}],"tags":[" "],"any":"1","owner":{"name":"a","next":{"name":"b","next":{"name":"c","next":{"name":"d","next":{"name":"e","next":{"name":"f"}}}}}}}`))
	schemas := schema.NewSchemas()
	crates := form.New(schemas, reflect.TypeFor[crate](), nil)
	reader, schema := schema.Validator{Schemas: schemas}, schemas.Of(reflect.TypeFor[crate]())
	f.Fuzz(func(t *testing.T, body []byte) {
		if reader.Check(schema, body) != nil {
			return
		}
		s := crates.Read(sent(t, crates.Fill(body)))
		if got, want := plain(t, s.Body), plain(t, body); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// Singular removes a plural ending and keeps an s that belongs to the word.
func TestSingular(t *testing.T) {
	for many, want := range map[string]string{
		"Items": "Item", "Additional procedure codes": "Additional procedure code", "Entries": "Entry",
		"By basis": "By basis", "Status": "Status", "Net mass": "Net mass", "Counterparty address": "Counterparty address", "By category": "By category",
	} {
		if got := form.Singular(many); got != want {
			t.Errorf("the singular of %s is %s, not %s", many, got, want)
		}
	}
}

// Countries are offered by name and accepted by name or code, in upper or lower case. An unknown
// country is kept and reported.
func TestCountry(t *testing.T) {
	f := crates()
	for typed, want := range map[string]string{"South Korea": "KR", " united kingdom ": "GB", "UK": "GB", "cn": "CN", "XI": "XI", "northern ireland": "XI", "Atlantis": "Atlantis"} {
		s := f.Read(url.Values{"origin": {typed}})
		if got := s.FieldAt("origin"); got.Value != want || (got.Error != "") != (want == "Atlantis") {
			t.Errorf("%q became %q: %s", typed, got.Value, got.Error)
		}
	}
	s := f.Fill([]byte(full))
	if said := s.FieldAt("origin").Text(); said != "China (CN)" {
		t.Errorf("the origin is %q", said)
	}
	if all := s.Countries(); len(all) != 250 || !slices.Contains(all, form.Option{Value: "KR", Label: "South Korea"}) || s.FieldAt("origin").DatalistID() != "countries" {
		t.Errorf("%d countries are offered", len(all))
	}
	if f.Without("origin").Blank().Countries() != nil || s.FieldAt("code").DatalistID() != "" {
		t.Error("countries are offered in a form without a country")
	}
}
