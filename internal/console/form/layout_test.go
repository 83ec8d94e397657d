package form_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// notice has a free-form part whose members depend on its type.
type notice struct {
	Type  string          `json:"type" enum:"SHIP,DOCK"`
	Notes string          `json:"notes,omitempty" maxLength:"40"`
	Data  filing.FreeForm `json:"data,omitempty"`
}

var noticeLayout = &layout.Form{Decides: "type", Sections: []layout.Section{
	{Title: "Type", Fields: []layout.Field{{Path: "type", Label: "Type of notice", Closed: true, Options: []layout.Option{{Value: "SHIP", Label: "A ship"}, {Value: "DOCK", Label: "A dock"}}}}},
	{Title: "Ship", When: layout.Only("type", "SHIP"), Fields: []layout.Field{
		{Path: "data.draughtM", Label: "Draught (m)", Format: layout.Amount, Also: []string{"draft"}}, {Path: "data.builtOn", Label: "Built on", Format: layout.Day},
		{Path: "data.armed", Label: "Armed", Format: layout.YesNo}, {Path: "data.flags", Label: "Flags", Format: layout.Lines}, {Path: "data.crew", Label: "Crew", Format: layout.Count},
		{Path: "data.uses", Label: "Uses", Format: layout.Several, Options: []layout.Option{{Value: "cargo", Label: "Cargo"}, {Value: "ferry", Label: "Passengers"}}},
		{Path: "data.masts", Label: "Masts", Format: layout.Rows, Columns: []layout.Field{{Path: "wood", Label: "Wood"}, {Path: "heightM", Label: "Height (m)", Format: layout.Amount}}},
	}},
	{Title: "Dock", When: layout.Only("type", "DOCK"), Fields: []layout.Field{{Path: "data.address", Label: "Address", Format: layout.Address}, {Path: "data.draughtM", Label: "Depth (m)", Format: layout.Amount}}},
}, Other: []layout.Field{{Path: "data", Label: "More details"}}}

func notices() *form.Form {
	return form.New(schema.NewSchemas(), reflect.TypeFor[notice](), nil).Layout(noticeLayout)
}

func sectionTitles(s *form.FilledForm) (titles []string) {
	for _, section := range s.Sections() {
		titles = append(titles, section.Title)
	}
	return titles
}

// Known members of a free-form object have fields of their own, in the format of the layout. Others stay rows of name and
// value. Nothing is lost when a form is saved unchanged, and the values keep their types.
func TestNamedMembers(t *testing.T) {
	body := `{"type":"SHIP","data":{"draughtM":7.10,"builtOn":"1998-02-01","armed":false,"flags":["PA","GB"],"crew":12,"uses":["cargo","other"],` +
		`"masts":[{"wood":"oak","heightM":30.5},{"wood":"pine"}],"zeal":{"a":1},"own":"kept"}}`
	s := notices().Fill([]byte(body))
	for path, value := range map[string]string{"data.draughtM": "7.10", "data.armed": "false", "data.flags": "PA\nGB", "data.uses": "cargo\nother", "data.masts[0].heightM": "30.5"} {
		if f := s.FieldAt(path); f.Name != path || f.Value != value {
			t.Errorf("%s: %s has %q", path, f.Name, f.Value)
		}
	}
	read := notices().Read(sentSections(t, s))
	if string(read.Body) != body || read.Errors != nil {
		t.Errorf("got\n%s\nwant\n%s\n%v", read.Body, body, read.Errors)
	}
	if titles := sectionTitles(s); !slices.Equal(titles, []string{"Type", "Ship", "Other details"}) {
		t.Errorf("sections %v", titles)
	}
}

// sentSections renders the sections and returns what a browser submits.
func sentSections(t *testing.T, s *form.FilledForm) url.Values {
	t.Helper()
	values := url.Values{}
	for _, section := range s.Sections() {
		for name, texts := range sent(t, &form.FilledForm{Fields: section.Fields}) {
			values[name] = append(values[name], texts...)
		}
	}
	return values
}

// Values in another format or under a name that the layout knows fill the field, and what the field cannot show stays a row of
// its own instead of being lost.
func TestOtherFormats(t *testing.T) {
	s := notices().Fill([]byte(`{"type":"SHIP","data":{"draft":"£1,250.5","armed":"yes","flags":"PA, GB","masts":["oak"],"crew":"many","builtOn":null}}`))
	for path, value := range map[string]string{"data.draughtM": "1250.5", "data.armed": "true", "data.flags": "PA\nGB", "data.builtOn": ""} {
		if f := s.FieldAt(path); f.Value != value {
			t.Errorf("%s is %q", path, f.Value)
		}
	}
	body := string(notices().Read(sentSections(t, s)).Body)
	if want := `{"type":"SHIP","data":{"draughtM":1250.5,"armed":true,"flags":["PA","GB"],"masts":["oak"],"crew":"many"}}`; body != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
}

// When the type changes, members of both types keep their values, and those of the other type become rows that can be edited.
func TestTypeChanges(t *testing.T) {
	values := sentSections(t, notices().Fill([]byte(`{"type":"SHIP","data":{"draughtM":7.1,"crew":12,"uses":["ferry"]}}`)))
	values.Set("type", "DOCK")
	read := notices().Read(values)
	if want := `{"type":"DOCK","data":{"draughtM":7.1,"crew":12,"uses":["ferry"]}}`; !sameMembers(string(read.Body), want) {
		t.Errorf("got\n%s\nwant\n%s", read.Body, want)
	}
	s := notices().Fill(read.Body)
	if titles := sectionTitles(s); !slices.Equal(titles, []string{"Type", "Dock", "Other details"}) {
		t.Errorf("sections %v", titles)
	}
	if label := s.LabelAt("data.draughtM"); label != "Depth (m)" {
		t.Errorf("the label is %q", label)
	}
	if again := notices().Read(sentSections(t, s)); !sameMembers(string(again.Body), string(read.Body)) {
		t.Errorf("got\n%s\nwant\n%s", again.Body, read.Body)
	}
}

func sameMembers(one, other string) bool {
	var a, b any
	return json.Unmarshal([]byte(one), &a) == nil && json.Unmarshal([]byte(other), &b) == nil && reflect.DeepEqual(a, b)
}

// Errors and findings are at the field of the member, and texts use its label. Without a type only what every type has is shown.
func TestFaultsOfNamedMembers(t *testing.T) {
	s := notices().Read(url.Values{"type": {"SHIP"}, "data.draughtM": {"deep"}})
	s.AddFindings([]rules.Finding{{Field: "data.masts[0].wood", Message: "data.draughtM is unknown."}, {Field: "data.other", Message: "builtOn is missing."}})
	if len(s.Errors) != 1 || s.Errors[0].Field != "data.draughtM" || s.Errors[0].Message != "Draught (m) must be a number, such as 12.5" {
		t.Errorf("%v", s.Errors)
	}
	if f := s.FieldAt("data.masts"); len(f.Findings) != 1 || f.Findings[0].Message != "“Draught (m)” is unknown." {
		t.Errorf("%+v", f.Findings)
	}
	if f := s.FieldAt("data.other"); f.Name != "data" || !strings.HasPrefix(f.Findings[0].Message, "“Built on”") {
		t.Errorf("%s: %+v", f.Name, f.Findings)
	}
	blank := notices().Blank()
	if titles := sectionTitles(blank); !slices.Equal(titles, []string{"Type", "Other details"}) {
		t.Errorf("sections %v", titles)
	}
	blank.AddErrors(apierr.Detail{Field: "notes", Message: "is too long"})
	if last := blank.Sections()[1]; last.Folded || !last.Fields[0].HasProblem() {
		t.Errorf("a field with an error is folded away: %+v", last)
	}
}
