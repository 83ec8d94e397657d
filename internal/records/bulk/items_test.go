package bulk_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// declarations is the type of declarations.
func declarations() *filing.Type { return customs.Declarations(tariff.Embedded(), nil, nil).Type() }

// awkward are texts that a table can easily change.
var awkward = []string{
	"Cotton T-shirts", "00123", "12.50", "true", "null", " before and after ", "=1+1", "-5.20", "-a", "@x", "'quoted", `"quoted"`, `"`, "a;b", "a,b", "two\nlines", "two\r\nlines", "\ttab",
	"[1]", `["a"]`, "{}", "Zürich ü", "\u00a0", "\ufeffmark", "＝1", "1e3", "a\\b", "",
}

// randomBody makes values for a schema: any members, and lists of up to three entries.
type randomBody struct {
	*rand.Rand
	schemas *schema.Schemas
}

func (r randomBody) of(s *huma.Schema) any {
	s = r.schemas.Resolve(s)
	switch {
	case len(s.OneOf) > 0:
		return r.of(s.OneOf[r.IntN(len(s.OneOf))])
	case s.Type == huma.TypeObject:
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if r.IntN(3) == 0 && name != "uniqueReference" {
				object[name] = r.of(s.Properties[name])
			}
		}
		if len(object) == 0 && len(s.Properties) > 0 {
			name := slices.Min(slices.Collect(maps.Keys(s.Properties)))
			object[name] = r.of(s.Properties[name])
		}
		return object
	case s.Type == huma.TypeArray:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.of(s.Items))
		}
		return list
	case s.Type == huma.TypeBoolean:
		return r.IntN(2) == 0
	case s.Type == huma.TypeNumber || s.Type == huma.TypeInteger:
		return json.Number([]string{"0", "1850.10", "-12", "0.000001", "1e3", "9999999999999999.999"}[r.IntN(6)])
	}
	return awkward[r.IntN(len(awkward))]
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The import of declarations reads from the table with a row for each item what the declarations are, whatever they hold.
func TestItemsComeBack(t *testing.T) {
	schemas := schema.NewSchemas()
	kind := declarations()
	random := randomBody{rand.New(rand.NewPCG(21, 0)), schemas}
	rows, want := make([]filing.Row, 300), make([]string, 300)
	for n := range rows {
		body := random.of(schemas.Of(kind.Body)).(map[string]any)
		body["items"] = []any{random.of(schemas.Resolve(schemas.Of(kind.Body)).Properties["items"].Items), map[string]any{"description": fmt.Sprint(n)}}
		body["metadata"] = map[string]any{"a;b": "=c"}
		want[n] = encoded(t, body)
		rows[n] = filing.Row{ID: fmt.Sprint("id ", n), Status: "DRAFT", CreatedAt: "2026-11-21T09:00:00.000Z", UpdatedAt: "2026-11-21T09:00:00.000Z", Input: want[n], Added: `{"lrn":"TW1","mrn":null}`}
	}
	var out bytes.Buffer
	if err := bulk.WriteItems(&out, kind, rows); err != nil {
		t.Fatal(err)
	}
	sheet, err := bulk.ReadTable(ctx, out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	columns := batch.Columns(schemas, kind.Body)
	table := batch.Table{Columns: columns, Headers: map[string]string{}, Group: "id"}
	for column, header := range batch.Guess(columns, sheet.Headers) {
		if header != nil && *header != column {
			t.Errorf("%s is read from %s", column, *header)
		} else if header != nil {
			table.Headers[column] = column
		}
	}
	var cells []map[string]string
	for row := range sheet.Rows() {
		of := map[string]string{}
		for i, cell := range row {
			of[sheet.Headers[i]] = cell
		}
		cells = append(cells, of)
	}
	bodies, faults := table.Bodies(cells)
	if len(faults) > 0 || len(bodies) != len(rows) {
		t.Fatalf("%d declarations, faults %+v", len(bodies), faults)
	}
	for n, b := range bodies {
		var was, is any
		_ = json.Unmarshal([]byte(want[n]), &was)
		_ = json.Unmarshal(b.JSON, &is)
		if b.Reference != rows[n].ID || !reflect.DeepEqual(was, is) {
			t.Fatalf("%s was %s\nis %s", b.Reference, want[n], b.JSON)
		}
	}
}

// A table with a row for each item has the members of every record and of the whole declaration in each row, lists of the whole
// declaration in the first, and cells that no spreadsheet runs.
func TestItems(t *testing.T) {
	each(t, func(d *fixture) {
		kind := declarations()
		row := filing.Row{ID: "a", Status: "CLEARED", Input: `{"declarationType":"IMPORT","reference":"=1+1","authorisations":[{"type":"DPO","holder":"GB1"}],` +
			`"items":[{"netMassKg":1.50,"additionalProcedureCodes":["000","F44"]},{"buyer":{"address":{"city":"Hull"}}}]}`, Added: `{"mrn":"26GB1"}`}
		var out bytes.Buffer
		d.must(bulk.WriteItems(&out, kind, []filing.Row{row}))
		records, err := csv.NewReader(&out).ReadAll()
		d.must(err)
		got := []string{}
		for _, name := range []string{"id", "status", "mrn", "declarationType", "reference", "authorisations", "items[].netMassKg", "items[].additionalProcedureCodes[]", "items[].buyer.address.city"} {
			at := slices.Index(records[0], name)
			got = append(got, records[1][at], records[2][at])
		}
		want := `a a CLEARED CLEARED 26GB1 26GB1 IMPORT IMPORT "=1+1" "=1+1" [{"type":"DPO","holder":"GB1"}]  1.50  000;F44   Hull`
		if len(records) != 3 || strings.Join(got, " ") != want {
			d.Errorf("%d lines: %s", len(records), strings.Join(got, " "))
		}
	})
}
