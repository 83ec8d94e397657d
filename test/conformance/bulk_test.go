package conformance

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

const boundary = "a-boundary-of-the-tests"

var formHeader = []string{"Content-Type", "multipart/form-data; boundary=" + boundary}

// form is a form of fields and their content.
func form(fields ...string) string {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.SetBoundary(boundary)
	for i := 0; i < len(fields); i += 2 {
		part, _ := w.CreateFormFile(fields[i], "clients.csv")
		_, _ = io.WriteString(part, fields[i+1])
	}
	_ = w.Close()
	return body.String()
}

func (c *caller) preview(file string) answer {
	c.t.Helper()
	return c.call("POST", "/api/import/clients/preview", form("file", file), formHeader...)
}

const brokersTable = "\xff\xfeC\x00o\x00m\x00p\x00a\x00n\x00y\x00;\x00R\x00e\x00f\x00 \x002\x00;\x00C\x00o\x00u\x00n\x00t\x00r\x00y\x00\n\x00" +
	"M\x00\xfc\x00l\x00l\x00e\x00r\x00;\x00G\x00B\x001\x002\x003\x004\x005\x006\x007\x008\x009\x000\x000\x000\x00;\x00G\x00B\x00\n\x00" +
	"=\x00A\x00;\x00;\x00U\x00K\x00\n\x00"

// An uploaded table is shown with a mapping. Committing the shown rows creates clients and reports the faulty row.
// A repeat skips them, and with the same Idempotency-Key it returns the same answer.
func TestImportOfClients(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shown := c.preview(brokersTable).want(t, 200)
		if want := []any{"Company", "Ref 2", "Country"}; !reflect.DeepEqual(shown.body["headers"], want) {
			t.Errorf("headers %v", shown.body["headers"])
		}
		if shown.in("mapping", "name") != "Company" || shown.in("mapping", "eori") != "Ref 2" || shown.in("mapping", "country") != "Country" || shown.in("mapping", "email") != nil {
			t.Errorf("mapping %v", shown.body["mapping"])
		}
		columns, _ := shown.body["columns"].([]any)
		for i, want := range []any{"name", "eori", "country"} {
			if c, _ := columns[i].(map[string]any); c["field"] != want || c["confidence"].(float64) < 0.5 || c["reason"] == "" {
				t.Errorf("column %d: %v", i, c)
			}
		}
		commit := map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"]}
		first := c.call("POST", "/api/import/clients/commit", commit, "Idempotency-Key", "k").want(t, 200)
		if first.text != `{"created":1,"skipped":0,"failed":1,"errors":[{"row":2,"field":"country","message":"must be an ISO 3166-1 alpha-2 country code such as GB"}]}` {
			t.Errorf("got %s", first.text)
		}
		alone := c.call("POST", "/api/clients", map[string]any{"name": "=A", "country": "UK"}).refused(t, 400, "invalid_request")
		if !strings.Contains(alone.text, "must be an ISO 3166-1 alpha-2 country code such as GB") {
			t.Errorf("the API refuses the same row with another message: %s", alone.text)
		}
		again := c.call("POST", "/api/import/clients/commit", commit, "Idempotency-Key", "k").want(t, 200)
		if again.text != first.text || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("with its key again: %v %s", again.header, again.text)
		}
		c.call("POST", "/api/import/clients/commit", map[string]any{"mapping": commit["mapping"], "rows": []any{}}, "Idempotency-Key", "k").
			refused(t, 422, "idempotency_mismatch")
		if a := c.call("POST", "/api/import/clients/commit", commit).want(t, 200); a.body["skipped"] != 1.0 || a.body["created"] != 0.0 {
			t.Errorf("without a key again: %s", a.text)
		}
		list := c.call("GET", "/api/clients", nil).want(t, 200)
		if !strings.Contains(list.text, `"name":"Müller","eori":"GB123456789000","country":"GB"`) || len(list.body["clients"].([]any)) != 1 {
			t.Errorf("clients: %s", list.text)
		}
		trail := c.call("GET", "/api/audit?eventType=client.created", nil).want(t, 200)
		if len(trail.body["events"].([]any)) != 1 {
			t.Errorf("trail: %s", trail.text)
		}
	})
}

// An invalid table or request is refused with the reason, and a VIEWER may preview but not import.
func TestImportRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		const preview, commit = "/api/import/clients/preview", "/api/import/clients/commit"
		for _, bad := range []struct {
			name, body string
			fields     []string
		}{
			{"no file", form(), []string{"file"}},
			{"another field", form("data", "a\n1\n"), []string{"data"}},
			{"two files", form("file", "a\n1\n", "file", "a\n1\n"), []string{"file"}},
			{"no form", "a\n1\n", []string{"file"}},
			{"cut off", form("file", strings.Repeat("a\n", 100))[:300], []string{"body"}},
			{"an image", form("file", "\x89PNG\r\n\x1a\n"), []string{"file"}},
			{"rows", form("file", "a,b\n1\n2,3\n4,\"5\n"), []string{"row 1", "row 3"}},
		} {
			a := c.call("POST", preview, bad.body, formHeader...).refused(t, 400, "invalid_request")
			if got := a.fields(); !slices.Equal(got, bad.fields) {
				t.Errorf("%s: %v in %s", bad.name, got, a.text)
			}
		}
		c.call("POST", preview, "a\n1\n", "Content-Type", "text/csv").refused(t, 415, "unsupported_media_type")
		c.call("POST", preview, `{}`).refused(t, 415, "unsupported_media_type")
		c.preview("a\n"+strings.Repeat("x\n", 5<<20)).refused(t, 413, "payload_too_large")
		c.call("POST", preview+"?x=1", form("file", "a\n1\n"), formHeader...).refused(t, 400, "invalid_request")

		c.call("POST", commit, "mapping", "Content-Type", "text/plain").refused(t, 415, "unsupported_media_type")
		c.call("POST", commit, "").refused(t, 400, "invalid_request")
		a := c.call("POST", commit, `{"mapping":{"name":"N","nick":"N","eori":"E"},"rows":[{"N":"A"}]}`).refused(t, 400, "invalid_request")
		if got := a.fields(); !slices.Equal(got, []string{"mapping.nick", "mapping.eori"}) {
			t.Errorf("fields %v", got)
		}
		c.call("POST", commit, `{"mapping":{"name":"N"},"rows":[{"N":"`+strings.Repeat("x", 64<<20)+`"}]}`).refused(t, 413, "payload_too_large")

		viewer := c.as("VIEWER")
		viewer.preview("Name\nA\n").want(t, 200)
		viewer.call("POST", commit, `{"mapping":{"name":"N"},"rows":[{"N":"A"}]}`).refused(t, 403, "read_only_key")
		if list := c.call("GET", "/api/clients", nil).want(t, 200); len(list.body["clients"].([]any)) != 0 {
			t.Errorf("stored: %s", list.text)
		}
	})
}

// Every record is in its table, under the API's field names, with formulas escaped. The file is named by table and
// date, and the audit event has the caller and the count.
func TestExportOfRecords(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		declaration := c.declaration("X-1")
		c.call("POST", "/api/clients", map[string]any{"name": "=cmd|' /C calc'!A0", "phone": "-12"}).want(t, 201)
		for table, rows := range map[string]int{"clients": 2, "shipments": 1, "declarations": 1} {
			a := c.as("VIEWER").call("GET", "/api/export/"+table, nil).want(t, 200)
			if got := a.header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
				t.Errorf("%s: %s", table, got)
			}
			name := a.header.Get("Content-Disposition")
			if !strings.HasPrefix(name, `attachment; filename="`+table+"-20") || !strings.HasSuffix(name, `.csv"`) {
				t.Errorf("%s: %s", table, name)
			}
			lines, err := csv.NewReader(strings.NewReader(a.text)).ReadAll()
			if err != nil || len(lines) != rows+1 {
				t.Fatalf("%s: %v, %q", table, err, a.text)
			}
			c.matchesList(t, table, lines)
			trail := c.call("GET", "/api/audit?eventType=export."+table, nil).want(t, 200)
			if !strings.Contains(trail.text, fmt.Sprintf(`"data":{"count":%d}`, rows)) {
				t.Errorf("%s: %s", table, trail.text)
			}
		}
		if a := c.call("GET", "/api/export/declarations", nil).want(t, 200); !strings.Contains(a.text, "\r\n"+declaration+",DRAFT,") {
			t.Errorf("got %s", a.text)
		}
		if a := c.call("GET", "/api/export/clients", nil).want(t, 200); !strings.Contains(a.text, ",'=cmd|' /C calc'!A0,") || !strings.Contains(a.text, ",-12,") {
			t.Errorf("got %s", a.text)
		}
		c.call("GET", "/api/export/clients?status=ACTIVE", nil).refused(t, 400, "invalid_request")
		p.call("", "GET", "/api/export/clients", nil).refused(t, 401, "unauthorized")
	})
}

// matchesList compares a table with the list, cell by cell.
func (c *caller) matchesList(t *testing.T, table string, lines [][]string) {
	t.Helper()
	list := c.call("GET", "/api/"+table, nil).want(t, 200)
	var records []map[string]any
	d := json.NewDecoder(strings.NewReader(list.text))
	d.UseNumber()
	var page map[string]json.RawMessage
	if err := d.Decode(&page); err != nil {
		t.Fatal(err)
	}
	n := json.NewDecoder(bytes.NewReader(page[table]))
	n.UseNumber()
	if err := n.Decode(&records); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(records)
	for i, record := range records {
		seen := 0
		for at, column := range lines[0] {
			value, there := record[column]
			cell := strings.TrimPrefix(lines[i+1][at], "'")
			switch {
			case !there || value == nil:
				if cell != "" {
					t.Errorf("%s %s is %q", table, column, cell)
				}
			case cell != fmt.Sprint(value):
				t.Errorf("%s %s is %q, not %v", table, column, cell, value)
			}
			if there {
				seen++
			}
		}
		if seen != len(record) {
			t.Errorf("%s: a record of %d fields has %d columns: %v", table, len(record), seen, record)
		}
	}
}

// The largest permitted import is stored completely, other requests are served meanwhile, and its table can be
// exported. A caller that disconnects does not affect the next.
func TestImportOfMany(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		const many = 3000
		rows := make([]any, many)
		for n := range rows {
			rows[n] = map[string]any{"N": fmt.Sprint("Trader ", n), "E": fmt.Sprintf("GB%012d", n)}
		}
		done := make(chan answer)
		go func() {
			done <- c.call("POST", "/api/import/clients/commit", map[string]any{"mapping": map[string]any{"name": "N", "eori": "E"}, "rows": rows})
		}()
		between := 0
		for running := true; running; {
			select {
			case a := <-done:
				running = false
				if a.want(t, 200).body["created"] != float64(many) {
					t.Errorf("got %s", a.text)
				}
			default:
				c.call("POST", "/api/clients", map[string]any{"name": fmt.Sprint("Other ", between)}).want(t, 201)
				between++
			}
		}
		c.disconnect(t, "/api/export/clients")
		a := c.call("GET", "/api/export/clients", nil).want(t, 200)
		if got := strings.Count(a.text, "\r\n"); got != many+between+1 {
			t.Errorf("%d lines for %d and %d", got, many, between)
		}
	})
}

// disconnect requests a table and disconnects after the first line.
func (c *caller) disconnect(t *testing.T, path string) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", strings.TrimPrefix(c.base, "http://"), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path, c.key)
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%v %v", r, err)
	}
	if line, err := bufio.NewReader(r.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, "id,") {
		t.Errorf("%q, %v", line, err)
	}
}

// The first sheet of a workbook is shown and stored like the same table in CSV, and an unreadable one is refused
// like any other file.
func TestImportOfWorkbook(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for at, value := range map[string]any{"A1": "Company", "B1": "EORI", "C1": "Country", "A2": "Müller", "B2": "GB123456789000", "C2": "GB", "A4": "B Ltd", "C4": "UK"} {
		if err := f.SetCellValue("Sheet1", at, value); err != nil {
			t.Fatal(err)
		}
	}
	var workbook bytes.Buffer
	if err := f.Write(&workbook); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shown := c.preview(workbook.String()).want(t, 200)
		same := c.preview("Company,EORI,Country\nMüller,GB123456789000,GB\nB Ltd,,UK\n").want(t, 200)
		if shown.text != same.text {
			t.Errorf("the workbook is %s\nand its CSV %s", shown.text, same.text)
		}
		stored := c.call("POST", "/api/import/clients/commit", map[string]any{"mapping": shown.body["mapping"], "rows": shown.body["rows"]}).want(t, 200)
		if stored.body["created"] != 1.0 || stored.body["failed"] != 1.0 {
			t.Errorf("stored: %s", stored.text)
		}
		if a := c.preview(workbook.String()[:500]).refused(t, 400, "invalid_request"); !slices.Equal(a.fields(), []string{"file"}) {
			t.Errorf("damaged: %s", a.text)
		}
	})
}
