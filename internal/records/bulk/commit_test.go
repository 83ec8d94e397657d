package bulk_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// An import request is rejected as a whole if the request itself is invalid. All errors of the
// mapping, and all rows that are not objects, are reported at once.
func TestReadCommit(t *testing.T) {
	fields := customs.Clients.Type().Fields()
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"valid", `{"mapping":{"name":"N","eori":"E","city":null},"rows":[{"N":"A"},{"E":"B"}]}`, nil},
		{"rows first, blanks, escapes", " {\n\"rows\" : [ { \"N\\u00fc\" : \"A\" } ] , \"mapping\" : { \"n\\u0061me\" : \"Nü\" } } ", nil},
		{"no rows", `{"mapping":{"name":null},"rows":[]}`, []string{"mapping.name: is required: choose its column"}},
		{"empty", `{}`, []string{"mapping: is required", "rows: is required"}},
		{"wrong kinds", `{"mapping":[],"rows":{}}`, []string{"mapping: must be an object", "rows: must be a list"}},
		{"null", `{"mapping":null,"rows":null}`, []string{"mapping: must be an object", "rows: must be a list"}},
		{"a list", `[1]`, []string{"body: must be an object"}},
		{"text", ` "x"`, []string{"body: must be an object"}},
		{"not JSON", `{"mapping":{},`, []string{"body: is not valid JSON"}},
		{"not UTF-8", "{\"mapping\":\"\xff\"}", []string{"body: is not valid UTF-8"}},
		{"an unknown member", `{"mapping":{"name":"N"},"rows":[{"N":"A"}],"x":1}`, []string{"x: is not a known field"}},
		{"unknown fields and headers", `{"mapping":{"name":"N","eori":"E","id":"I","zz":"N","phone":5},"rows":[{"N":"A"},{"n":"A"}]}`,
			[]string{"mapping.id: is not a field of these records", "mapping.zz: is not a field of these records", "mapping.phone: must be the name of a column, or null",
				`mapping.eori: no row has a column "E"`}},
		{"a member twice", `{"mapping":{"name":"N"},"rows":[{"N":"A"}],"r\u006fws":[]}`, []string{"rows: appears more than once"}},
		{"null twice", `{"mapping":{"name":"N","eori":null,"eori":null},"rows":[{"N":"A"}]}`, []string{"mapping.eori: appears more than once"}},
		{"a field twice", `{"mapping":{"name":"N","name":"N"},"rows":[{"N":"A"}]}`, []string{"mapping.name: appears more than once"}},
		{"rows that are not objects", `{"mapping":{"name":"N"},"rows":[{"N":"A"},1,null,["N"],"N"]}`,
			[]string{"rows[1]: must be an object", "rows[2]: must be an object", "rows[3]: must be an object", "rows[4]: must be an object"}},
		{"too many", `{"mapping":{"name":"N"},"rows":[{"N":"A"}` + strings.Repeat(",{}", 100_000) + `]}`, []string{"rows: must have at most 100000, not 100001"}},
	} {
		_, err := bulk.ReadCommit([]byte(c.body), fields)
		if err == nil && c.want == nil {
			continue
		}
		if got := errorTexts(err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// An error repeats only the beginning of a long name.
func TestReadCommitShortensNames(t *testing.T) {
	name := strings.Repeat("n", 1<<20)
	for _, body := range []string{
		`{"` + name + `":1}`, `{"mapping":{"` + name + `":"N"},"rows":[]}`, `{"mapping":{"name":"` + name + `"},"rows":[{"N":"A"}]}`,
	} {
		_, err := bulk.ReadCommit([]byte(body), []string{"name"})
		if got := strings.Join(errorTexts(err), "\n"); got == "" || len(got) > 1000 {
			t.Errorf("%.40s: errors of %d bytes", body, len(got))
		}
	}
}

// At most 100 errors are reported.
func TestReadCommitErrorsAreCapped(t *testing.T) {
	_, err := bulk.ReadCommit([]byte(`{"mapping":{"name":"N"},"rows":[{"N":"A"}`+strings.Repeat(",1", 5000)+`]}`), []string{"name"})
	if got := errorTexts(err); len(got) != 100 {
		t.Errorf("%d errors", len(got))
	}
}

// Any input is either rejected with short errors that name fields, or is valid JSON with the first
// field mapped.
func FuzzReadCommit(f *testing.F) {
	for _, body := range []string{
		`{"mapping":{"name":"N","eori":null},"rows":[{"N":"A"},{"N":1}]}`, " {\n\"rows\" : [ { \"N\\u00fc\" : \"A\" } ] , \"mapping\" : { \"n\\u0061me\" : \"Nü\" } } ",
		`{"mapping":{"name":"N","name":"N"},"rows":[]}`, `{"mapping":[],"rows":{}}`, `{"rows":[],"rows":[]}`, `{"mapping":{"":""},"rows":[[]]}`, `[1]`, "{\"mapping\":\"\xff\"}",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := bulk.ReadCommit(body, []string{"name", "eori", "city"})
		if (c == nil) == (err == nil) {
			t.Errorf("%q: %v and %v", body, c, err)
		}
		said := errorTexts(err)
		if err != nil && (len(said) == 0 || len(said) > 100) {
			t.Errorf("%q: %d errors", body, len(said))
		}
		for _, fault := range said {
			if len(fault) > 2000 {
				t.Errorf("an error of %d bytes", len(fault))
			}
		}
		var whole struct{ Mapping map[string]*string }
		if err == nil && (json.Unmarshal(body, &whole) != nil || whole.Mapping["name"] == nil) {
			t.Errorf("%q is accepted", body)
		}
	})
}
