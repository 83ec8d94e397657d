package trigger_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/webhook/trigger"
)

// taken answers like a service with one event of each record, and collects the calls that change something.
func taken(calls *[]string, mode string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodGet {
			*calls = append(*calls, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)+" "+r.Header.Get("X-Simulate")))
		}
		switch {
		case r.Header.Get("Authorization") != "Bearer key":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/api/me":
			_, _ = fmt.Fprintf(w, `{"mode":%q}`, mode)
		case r.URL.Path == "/api/events" && r.URL.Query().Get("cursor") == "latest":
			_, _ = io.WriteString(w, `{"events":[],"nextCursor":"1"}`)
		case r.URL.Path == "/api/events":
			_, _ = io.WriteString(w, `{"events":[{"id":"evt_0","type":"declaration.cleared","data":{"object":{"id":"another"}}},
				{"id":"evt_1","type":"declaration.created","data":{"object":{"id":"/api/declarations"}}},
				{"id":"evt_2","type":"declaration.cleared","data":{"object":{"id":"/api/declarations"}}}],"nextCursor":"2"}`)
		case strings.Contains(string(body), "Refused"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"message":"The request is not valid.","details":[{"field":"name","message":"must be another"}]}`)
		default:
			_ = json.NewEncoder(w).Encode(map[string]string{"id": r.URL.Path})
		}
	})
}

// run triggers an event at a service, and returns its calls, what it prints and its error.
func run(t *testing.T, mode, eventType string, set ...string) (calls []string, out string, err error) {
	t.Helper()
	server := httptest.NewServer(taken(&calls, mode))
	defer server.Close()
	var text strings.Builder
	err = (&trigger.Trigger{Service: server.URL + "/", Key: "key", Type: eventType, Set: set, Client: server.Client(), Out: &text}).Run(t.Context())
	return calls, text.String(), err
}

// An event of a declaration takes a client, a shipment, a declaration and its submission; values that are set go to the record
// that they name. The events of other records are not shown.
func TestChain(t *testing.T) {
	calls, out, err := run(t, "test", "declaration.cleared", "items.0.netMassKg=12.5", "client.name=Quay = Sons", "items.1.description=Lamps", "metadata.branch=Dover")
	want := []string{
		`POST /api/clients {"name":"Quay = Sons"}`,
		`POST /api/shipments {"clientId":"/api/clients","portOfEntry":"GBFXT","transportMode":"SEA"}`,
		`POST /api/declarations {"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","countryOfOrigin":"BD","customsValueGbp":1850.45,"description":"Cotton T-shirts","netMassKg":12.5},{"description":"Lamps"}],"metadata":{"branch":"Dover"},"shipmentId":"/api/shipments"}`,
		`POST /api/cds/submit {"declarationId":"/api/declarations"} clear`,
	}
	if err != nil || strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v:\n%s", err, strings.Join(calls, "\n"))
	}
	if want := "declaration.created  evt_1  /api/declarations\ndeclaration.cleared  evt_2  /api/declarations\n"; out != want {
		t.Errorf("printed %s", out)
	}
}

// Nothing is created with a key of a live organisation, or with a value that does not fit. A refusal shows what is wrong.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		mode, eventType, set, want string
		calls                      int
	}{
		{"live", "client.created", "name=A", "svc_test", 0},
		{"test", "tss.declaration.created", "name=A", "cannot be triggered; these can: client.created, ", 0},
		{"test", "client.created", "name", "--set name: must be a path", 0},
		{"test", "declaration.created", "items.5.description=A", "5 is not a place in a list of 1", 0},
		{"test", "declaration.created", "items.last=A", "last is not a place", 0},
		{"test", "client.created", "name.first=A", "first is a member of a plain value", 0},
		{"test", "client.created", "name=Refused", "POST /api/clients answers 400: The request is not valid.\n  name must be another", 1},
	} {
		calls, _, err := run(t, c.mode, c.eventType, c.set)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(calls) != c.calls {
			t.Errorf("%+v: %d calls, %v", c, len(calls), err)
		}
	}
}
