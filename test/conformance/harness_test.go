// Package conformance tests the real program over HTTP, on both databases, and validates every answer with the
// program's own OpenAPI document.
package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// callers reuses connections to shared servers. It follows no redirects.
var callers = &http.Client{
	Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// caller makes requests with an API key.
type caller struct {
	*server
	org, key string
}

// answer is an HTTP response that was read completely.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// call makes a request and validates its answer with the document.
func (c *caller) call(method, path string, body any, headers ...string) answer {
	c.t.Helper()
	return c.server.call(c.key, method, path, body, headers...)
}

func (p *server) call(key, method, path string, body any, headers ...string) answer {
	p.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			p.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, p.base+path, reader)
	if err != nil {
		p.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := callers.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	read := io.ReadAll
	if media := response.Header.Get("Content-Type"); media == "application/x-ndjson" || media == "text/event-stream" {
		read = firstLine // the answer does not end
	}
	text, err := read(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(text, &a.body); err != nil {
			p.t.Fatalf("%s %s: %v: %s", method, path, err, text)
		}
	}
	p.check(method, path, a)
	return a
}

// check validates an answer with the document's operation.
func (p *server) check(method, path string, a answer) {
	p.t.Helper()
	if a.header.Get("X-Request-Id") == "" {
		p.t.Errorf("%s %s: no request id", method, path)
	}
	if mode := a.header.Get("X-Tidewaiter-Mode"); mode != "test" && mode != "live" && mode != "simulator" {
		p.t.Errorf("%s %s: the mode is %q", method, path, mode)
	}
	op := p.operation(method, path)
	if op == nil {
		return
	}
	response := op.Responses.Status(a.status)
	if response == nil {
		p.t.Errorf("%s %s: the document does not have status %d: %s", method, path, a.status, a.text)
		return
	}
	media := response.Value.Content.Get("application/json")
	if media == nil || a.body == nil {
		return
	}
	recorded.Add(op.OperationID, a.status, []byte(a.text))
	if err := media.Schema.Value.VisitJSON(map[string]any(a.body), openapi3.MultiErrors()); err != nil {
		p.t.Errorf("%s %s: the %d does not match the document: %v\n%s", method, path, a.status, err, a.text)
	}
}

func firstLine(r io.Reader) ([]byte, error) { return bufio.NewReader(r).ReadBytes('\n') }

// operation finds the operation of a path in the document.
func (p *server) operation(method, path string) *openapi3.Operation {
	path, _, _ = strings.Cut(path, "?")
	for pattern, item := range p.document.Paths.Map() {
		if fits(pattern, path) {
			if op := item.GetOperation(method); op != nil {
				return op
			}
		}
	}
	return nil
}

func fits(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != have[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

// want fails the test if the status differs.
func (a answer) want(t *testing.T, status int) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.text)
	}
	return a
}

// refused fails the test unless the answer is an error in the common form.
func (a answer) refused(t *testing.T, status int, code string) answer {
	t.Helper()
	a.want(t, status)
	if a.body["error"] != code || a.body["message"] == "" || a.body["requestId"] != a.header.Get("X-Request-Id") {
		t.Errorf("want the error %s: %s", code, a.text)
	}
	return a
}

// fields are the fields named by an error.
func (a answer) fields() (names []string) {
	details, _ := a.body["details"].([]any)
	for _, d := range details {
		names = append(names, d.(map[string]any)["field"].(string))
	}
	return names
}

// in returns a member of nested objects.
func (a answer) in(path ...string) any {
	var v any = a.body
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// id is the id of the answer's record, which is the answer itself or its only member.
func (a answer) id() string {
	if id, ok := a.in("id").(string); ok {
		return id
	}
	for name := range a.body {
		if id, ok := a.in(name, "id").(string); ok {
			return id
		}
	}
	return ""
}

// Minimal valid records.

func (c *caller) client() string {
	c.t.Helper()
	return c.call("POST", "/api/clients", map[string]any{"name": "Mill Lane Textiles", "eori": "GB123456789000"}).want(c.t, 201).id()
}

func (c *caller) shipment() string {
	c.t.Helper()
	return c.call("POST", "/api/shipments", map[string]any{"clientId": c.client(), "portOfEntry": "GBFXT", "transportMode": "SEA"}).want(c.t, 201).id()
}

// goods are an import of T-shirts: 12 % duty, 20 % VAT.
func goods(shipment, reference string) map[string]any {
	body := map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "items": []any{map[string]any{
		"commodityCode": "6109100010", "description": "Cotton T-shirts", "netMassKg": 120.5, "customsValueGbp": 1850, "countryOfOrigin": "BD",
	}}}
	if reference != "" {
		body["documents"] = []any{map[string]any{"type": "N935", "reference": reference}}
	}
	return body
}

func (c *caller) declaration(reference string) string {
	c.t.Helper()
	body := goods(c.shipment(), reference)
	if c.server.atHMRC {
		body = stated(body)
	}
	return c.call("POST", "/api/declarations", body).want(c.t, 201).id()
}

// stated returns the import with every value stated that the service would otherwise guess, since HMRC gets no guess.
func stated(body map[string]any) map[string]any {
	maps.Copy(body, map[string]any{
		"transport": map[string]any{"border": map[string]any{"nationality": "PA"}, "arrival": map[string]any{"id": "9811000", "idType": "10"}},
		"location":  map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}, "deliveryTerms": map[string]any{"incoterm": "CIF", "place": "GBFXT"},
		"destination": map[string]any{"country": "GB"}, "dispatchCountry": "BD", "transactionNature": "1", "representation": map[string]any{"type": "DIRECT"},
		"guarantees": []any{map[string]any{"type": "Y", "otherReference": "GB987654312000"}},
	})
	maps.Copy(body["items"].([]any)[0].(map[string]any), map[string]any{
		"procedureCode": "4000", "grossMassKg": 131, "valuationMethod": "1", "valuationIndicators": "0000",
		"packages": []any{map[string]any{"count": 25, "type": "CT", "marks": "1 to 25"}}, "taxLines": []any{map[string]any{"type": "A00", "methodOfPayment": "P"}, map[string]any{"type": "B00", "methodOfPayment": "P"}},
	})
	if documents, ok := body["documents"].([]any); ok {
		documents[0].(map[string]any)["status"] = "AC"
	}
	return body
}

func (c *caller) submit(id string) answer {
	c.t.Helper()
	return c.call("POST", "/api/cds/submit", map[string]any{"declarationId": id})
}

// waitLimit is how long a test waits for anything that happens in the background. Tests do not depend on its value:
// it only ends those that fail.
const waitLimit = 3 * time.Minute

// waitForStatus waits until a declaration has a status.
func (c *caller) waitForStatus(id, status string) answer {
	c.t.Helper()
	var last answer
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		last = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		if last.in("declaration", "status") == status {
			return last
		}
	}
	c.t.Fatalf("not %s after %s: %s", status, waitLimit, last.text)
	return last
}

// waitForAssessment waits until a declaration is accepted and cleared, and its taxes are final. Messages that arrive close together may be
// applied in another order than they were sent.
func (c *caller) waitForAssessment(id string) (last answer) {
	c.t.Helper()
	c.eventually("cleared declaration with final taxes", func() bool {
		last = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		return last.in("declaration", "status") == "CLEARED" && last.in("declaration", "acceptedAt") != nil && last.in("declaration", "dutyBasis") == "final"
	})
	return last
}

// waitForEvents waits until a declaration has exactly the wanted events, in any order, and returns them in theirs.
func (c *caller) waitForEvents(id string, want ...string) (events []string) {
	c.t.Helper()
	slices.Sort(want)
	c.eventually(fmt.Sprint("the events ", want), func() bool {
		events = nil
		for _, m := range c.call("GET", "/api/declarations/"+id+"/timeline", nil).want(c.t, 200).body["timeline"].([]any) {
			if moment := m.(map[string]any); moment["kind"] == "event" {
				events = append(events, moment["title"].(string))
			}
		}
		return slices.Equal(slices.Sorted(slices.Values(events)), want)
	})
	return events
}
