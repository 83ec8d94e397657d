package conformance

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// previewed sends a table to a preview, and asserts the number of faulty rows.
func (c *caller) previewed(what, table string, faulty int) answer {
	c.t.Helper()
	a := c.call("POST", "/api/import/"+what, form("file", table), formHeader...).want(c.t, 200)
	if a.body["faulty"] != float64(faulty) {
		c.t.Errorf("%s: faulty is %v, not %d: %s", what, a.body["faulty"], faulty, a.text)
	}
	return a
}

// The preview of clients and of products names the rows that the commit refuses, with the same row, field and message, and
// stores nothing. A row that the commit skips is not faulty.
func TestPreviewNamesFaultyRows(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client := c.client()
		for _, table := range []struct {
			what, text string
			faulty     int
			fields     string
		}{
			{"clients", "name,eori,country\nFen Ltd,GB205672212000,GB\nAre Ltd,,UK\n,,GB\nFen Ltd,GB205672212000,GB\n", 2, "[2 country 3 name]"},
			{"products", "clientId,code,description,unitFactor\n" + client + ",A,Lamps,1\n" + unknownID + ",B,Lamps,1\n" + client + ",C,Lamps,ten\n" + client + ",A,Lamps,1\n", 2, "[2 clientId 3 unitFactor]"},
		} {
			shown := c.previewed(table.what+"/preview", table.text, table.faulty)
			if list := c.call("GET", "/api/export/"+table.what, nil).want(t, 200).text; strings.Contains(list, "Fen Ltd") || strings.Contains(list, "Lamps") {
				t.Errorf("the preview stored %s", list)
			}
			done := c.call("POST", "/api/import/"+table.what+"/commit", map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"]}).want(t, 200)
			if !reflect.DeepEqual(shown.body["errors"], done.body["errors"]) || done.body["failed"] != shown.body["faulty"] || done.body["skipped"] != 1.0 {
				t.Errorf("%s: the preview has the errors %v, the commit %s", table.what, shown.body["errors"], done.text)
			}
			var named []any
			for _, e := range shown.body["errors"].([]any) {
				named = append(named, e.(map[string]any)["row"], e.(map[string]any)["field"])
			}
			if fmt.Sprint(named) != table.fields {
				t.Errorf("%s: %v, not %s", table.what, named, table.fields)
			}
		}
	})
}

// A preview shows the first 100 errors and counts the rows of all, in every batch of rows. Without a column for the name
// every row is faulty.
func TestPreviewCountsFaultyRows(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shown := c.previewed("clients/preview", "name,country\nFen Ltd,GB\n"+strings.Repeat("Are Ltd,UK\n", 1100), 1100)
		if errors := shown.body["errors"].([]any); len(errors) != 100 || errors[99].(map[string]any)["row"] != 101.0 {
			t.Errorf("%d errors, the last is %v", len(errors), errors[len(errors)-1])
		}
		c.previewed("clients/preview", "country\nGB\nGB\n", 2)
		if a := c.previewed("clients/preview", "name\nFen Ltd\n", 0); !strings.Contains(a.text, `"errors":[]`) {
			t.Error(a.text)
		}
		many := c.previewed("declarations/preview", "Commodity code\n"+strings.Repeat("6109100010\n", 1001), 1001)
		if errors := many.body["errors"].([]any); len(errors) != 100 {
			t.Errorf("%d errors of declarations", len(errors))
		}
	})
}

// The preview of declarations names what the results of the import do, by the first row of each declaration. With group
// the rows of one declaration are checked together, and a cell that differs has the message of the commit.
func TestPreviewNamesFaultyDeclarations(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		table := "Job;Shipment ID;Declaration type;Commodity code;Description;Net mass kg;Customs value GBP;Country of origin\n"
		for _, line := range []string{
			"A-1;" + shipment + ";IMPORT;6109100010;Shirts;1;5;BD", "A-2;" + shipment + ";IMPORT;6109100010;Shirts;ten;5;BD",
			"A-1;;;6109100010;Shirts;1;5;BD", "A-3;" + unknownID + ";IMPORT;6109100010;Shirts;1;5;BD",
		} {
			table += line + "\n"
		}
		alone := c.previewed("declarations/preview", table, 3)
		c.sameAsResults(t, alone, "")
		together := c.previewed("declarations/preview?group=Job", table, 2)
		c.sameAsResults(t, together, "Job")
		if list := c.call("GET", "/api/declarations", nil).want(t, 200); len(list.body["declarations"].([]any)) != 2 {
			t.Errorf("beside the two valid ones of the imports: %s", list.text)
		}

		differs := c.previewed("declarations/preview?group=Job", table+"A-1;;EXPORT;6109100010;Shirts;1;5;BD\n;;;;;;;x\n", 4)
		refused := c.call("POST", "/api/import/declarations/commit", map[string]any{"mapping": differs.body["mapping"], "group": "Job", "rows": differs.body["rows"]}).refused(t, 400, "invalid_request")
		for _, want := range []string{`"row":5,"field":"Declaration type","message":"differs from an earlier row of A-1"`, `"row":6,"field":"Job","message":"has nothing in the column Job"`} {
			if _, message, _ := strings.Cut(want, `"message":`); !strings.Contains(differs.text, want) || !strings.Contains(refused.text, message) {
				t.Errorf("no %s in %s, or not in %s", want, differs.text, refused.text)
			}
		}
		c.call("POST", "/api/import/declarations/preview?group="+strings.Repeat("x", 101), form("file", table), formHeader...).refused(t, 400, "invalid_request")
	})
}

// sameAsResults imports a table that was previewed, and compares the errors of the preview with those of the results.
func (c *caller) sameAsResults(t *testing.T, shown answer, group string) {
	t.Helper()
	body := map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"]}
	if group != "" {
		body["group"] = group
	}
	id := c.call("POST", "/api/import/declarations/commit", body).want(t, 202).in("import", "id").(string)
	job := c.ended("/api/imports/"+id, "import")
	first := map[string]int{} // row of each reference
	for i, row := range shown.body["rows"].([]any) {
		reference := fmt.Sprint(i + 1)
		if group != "" {
			reference = row.(map[string]any)[group].(string)
		}
		if _, known := first[reference]; !known {
			first[reference] = i + 1
		}
	}
	want := []any{}
	for _, r := range c.results(job.in("import", "resultUrl").(string), 50) {
		details, _ := r["body"].(map[string]any)["details"].([]any)
		for _, d := range details {
			d.(map[string]any)["row"] = float64(first[r["reference"].(string)])
			want = append(want, d)
		}
	}
	if got := shown.body["errors"]; !reflect.DeepEqual(got, want) {
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		t.Errorf("group %q: the preview has %s\nand the results have %s", group, a, b)
	}
}
