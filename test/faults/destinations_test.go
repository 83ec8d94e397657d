package faults_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/broker"
)

var (
	clientsARound = sized(30, 400) // clients that are created, each with one change, between two kills
	killRounds    = sized(2, 4)
)

// However often the program is killed while it sends to a broker, a queue or storage, every event arrives there, in the order of
// its record, and at most 64 arrive again after each kill. The short run has one kind.
func TestDestinationsUnderKills(t *testing.T) {
	t.Parallel()
	kinds := []string{"nats"}
	if long() {
		kinds = broker.Kinds
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			killWhileSendingTo(t, broker.Start(t, kind))
		})
	}
}

func killWhileSendingTo(t *testing.T, s *broker.Server) {
	p := newHost(t, storetest.SQLite(t))
	p.Settings["TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS"] = "true"
	running, c := p.withOrganisation(t)
	makeDestination(t, c, s)
	written := map[string]int{}
	for range killRounds {
		for range clientsARound {
			var made struct{ ID string }
			c.must(t, http.MethodPost, "/api/clients", map[string]any{"name": "A trader"}, &made)
			c.must(t, http.MethodPatch, "/api/clients/"+made.ID, map[string]any{"reference": "changed"}, new(any))
			written[made.ID] = 2
		}
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	database := p.open(t)
	eventually(t, drainLimit, "everything is delivered", func() bool {
		var waiting int
		err := database.QueryRowContext(t.Context(), "SELECT count(*) FROM deliveries WHERE status <> 'DELIVERED'").Scan(&waiting)
		return err == nil && waiting == 0
	})
	running.Stop(t)
	arrived, doubles := arrivals(t, s)
	for id := range written {
		if got := arrived[id]; !slices.Equal(got, []string{"client.created", "client.updated"}) {
			t.Errorf("of a record arrived %v", got)
		}
	}
	if doubles > killRounds*mostRepeated {
		t.Errorf("%d events arrived again after %d kills", doubles, killRounds)
	}
	t.Logf("%d records, %d kills, %d duplicates", len(written), killRounds, doubles)
}

// makeDestination creates the endpoint over the API, which never shows its credentials.
func makeDestination(t *testing.T, c *client, s *broker.Server) {
	t.Helper()
	in := s.Input()
	in.Events = []string{"client.created", "client.updated"}
	var made struct {
		Endpoint struct {
			ID, Kind    string
			Credentials struct{ Set bool }
		}
	}
	c.must(t, http.MethodPost, "/api/webhooks/endpoints", in, &made)
	if made.Endpoint.Kind != s.Kind || !made.Endpoint.Credentials.Set {
		t.Errorf("%+v", made)
	}
	shown, err := c.do(t.Context(), http.MethodGet, "/api/webhooks/endpoints/"+made.Endpoint.ID, "", nil)
	if err != nil || strings.Contains(string(shown.body), broker.Password) {
		t.Errorf("the endpoint shows its password: %v %s", err, shown.body)
	}
	var tested struct {
		Delivery struct{ Status, Error string }
	}
	c.must(t, http.MethodPost, "/api/webhooks/endpoints/"+made.Endpoint.ID+"/test", nil, &tested)
	if tested.Delivery.Status != "DELIVERED" {
		t.Errorf("the test call: %+v", tested)
	}
	in.Broker = nil
	in.URL = "other://127.0.0.1"
	refused, err := c.do(t.Context(), http.MethodPost, "/api/webhooks/endpoints", "", in)
	if err != nil || refused.status != http.StatusBadRequest {
		t.Errorf("incomplete settings: %d %v", refused.status, err)
	}
}

// arrivals are the types of events by record, in the order of their first arrival, and how many arrived again.
func arrivals(t *testing.T, s *broker.Server) (types map[string][]string, doubles int) {
	t.Helper()
	types, known := map[string][]string{}, map[string]bool{}
	for _, m := range s.Messages() {
		var n struct {
			ID, Type string
			Data     struct{ Object struct{ ID string } }
		}
		if err := json.Unmarshal([]byte(m.Body), &n); err != nil {
			t.Fatal(fmt.Errorf("%w in %s", err, m.Body))
		}
		if known[n.ID] {
			doubles++
			continue
		}
		known[n.ID] = true
		types[n.Data.Object.ID] = append(types[n.Data.Object.ID], n.Type)
	}
	return types, doubles
}
