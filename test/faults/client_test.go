package faults_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// requestLimit is how long a caller waits for one answer.
const requestLimit = 60 * time.Second

// client calls a service whose address may change.
type client struct {
	http    http.Client
	key     string
	address atomic.Pointer[string]
}

func newClient(key string) *client {
	return &client{key: key, http: http.Client{Timeout: requestLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// turn sends further requests to another process.
func (c *client) turn(r *program.Process) { c.address.Store(&r.Address) }

// answer is the response, if there was one.
type answer struct {
	status int
	body   []byte
	retry  string // Retry-After
}

func (a answer) ok() bool { return a.status >= 200 && a.status <= 299 }

// read parses the body of a successful answer.
func (a answer) read(out any) bool { return a.ok() && json.Unmarshal(a.body, out) == nil }

func (a answer) code() string {
	var p struct{ Error string }
	_ = json.Unmarshal(a.body, &p)
	return p.Error
}

func (c *client) do(ctx context.Context, method, path, once string, in any) (answer, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return answer{}, err
	}
	if in == nil {
		body = nil
	}
	r, err := http.NewRequestWithContext(ctx, method, *c.address.Load()+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", "application/json")
	if once != "" {
		r.Header["Idempotency-Key"] = []string{once}
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, text, response.Header.Get("Retry-After")}, err
}

// must makes a request that has to succeed. On a busy machine the database may answer too late: in the short run, a request
// is repeated as the 503 asks.
func (c *client) must(t *testing.T, method, path string, in, out any) {
	t.Helper()
	once := ""
	if method == http.MethodPost {
		once = rand.Text()
	}
	a, err := c.do(t.Context(), method, path, once, in)
	for give := time.Now().Add(retryLimit); !long() && err == nil && a.status == http.StatusServiceUnavailable && time.Now().Before(give); {
		time.Sleep(retryPause)
		a, err = c.do(t.Context(), method, path, once, in)
	}
	if err != nil || !a.ok() {
		t.Fatalf("%s %s: %d %s %v", method, path, a.status, a.body, err)
	}
	if err := json.Unmarshal(a.body, out); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, a.body)
	}
}

// declaration is a declaration as the API returns it.
type declaration struct {
	ID              string
	Status          string
	LRN             string
	MRN             string
	ConversationID  string
	ShipmentID      string
	DeclarationType string
	Items           json.RawMessage
}

func (c *client) declaration(t *testing.T, id string) declaration {
	t.Helper()
	var out struct{ Declaration declaration }
	c.must(t, http.MethodGet, "/api/declarations/"+id, nil, &out)
	return out.Declaration
}

// pageSize is the longest page of the API.
const pageSize = 100

// declarations lists all declarations in a state, or in any state if it is empty.
func (c *client) declarations(t *testing.T, status string) (all []declaration) {
	t.Helper()
	for cursor := ""; ; {
		var page struct {
			Declarations []declaration
			NextCursor   string
		}
		q := url.Values{"limit": {fmt.Sprint(pageSize)}}
		if status != "" {
			q.Set("status", status)
		}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		c.must(t, http.MethodGet, "/api/declarations?"+q.Encode(), nil, &page)
		all = append(all, page.Declarations...)
		if cursor = page.NextCursor; cursor == "" {
			return all
		}
	}
}

// event is an event of the audit trail.
type event struct {
	EventType  string
	ResourceID string
	Data       struct{ LRN, ConversationID string }
}

// events lists the events of a type.
func (c *client) events(t *testing.T, kind string) (all []event) {
	t.Helper()
	for cursor := ""; ; {
		var page struct {
			Events     []event
			NextCursor string
		}
		q := url.Values{"limit": {fmt.Sprint(pageSize)}, "eventType": {kind}}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		c.must(t, http.MethodGet, "/api/audit?"+q.Encode(), nil, &page)
		all = append(all, page.Events...)
		if cursor = page.NextCursor; cursor == "" {
			return all
		}
	}
}

// shipment creates a client and the shipment of all declarations.
func (c *client) shipment(t *testing.T) string {
	t.Helper()
	var client struct{ ID string }
	c.must(t, http.MethodPost, "/api/clients", map[string]any{
		"name": "Quayside Knitwear Ltd", "eori": "GB123456789000", "vatNumber": "GB123456789", "addressLine1": "7 Dock Road",
		"city": "Felixstowe", "postcode": "IP11 3SY", "country": "GB", "role": "IMPORTER", "reference": "Q-7",
	}, &client)
	var shipment struct{ ID string }
	c.must(t, http.MethodPost, "/api/shipments", map[string]any{
		"clientId": client.ID, "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "Morning Tern", "transportId": "9811000",
		"transportNationality": "PA", "countryOfDispatch": "BD", "incoterm": "CIF", "containers": []string{"MSKU1234565"},
		"counterpartyName": "Meghna Garments", "counterpartyAddress": "3 Port Link Road", "counterpartyCity": "Chattogram",
		"counterpartyPostcode": "4100", "counterpartyCountry": "BD",
	}, &shipment)
	return shipment.ID
}

// input is a declaration of a shipment with a unique mark.
func input(shipment, mark string) map[string]any {
	return map[string]any{
		"shipmentId": shipment, "declarationType": "IMPORT",
		"items": []map[string]any{{
			"commodityCode": "6109100010", "description": mark, "netMassKg": 120.5, "grossMassKg": 131, "customsValueGbp": 1850.25,
			"countryOfOrigin": "BD", "quantity": 600, "packageCount": 25, "packageType": "CT",
		}},
		"documents": []map[string]any{{"type": "N935", "reference": "INV-2026-0042", "status": "AC"}},
	}
}
