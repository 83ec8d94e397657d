package security

import (
	"encoding/json"
	"strings"
	"testing"
)

// Behind a trusted proxy each client has its own budget, IPv6 clients by their /64, and entries to the left of the
// proxy's have no effect.
func TestBudgetsBehindAProxy(t *testing.T) {
	t.Parallel()
	const document = "/api/openapi.json"
	s := newTarget(t, "TIDEWAITER_TRUSTED_PROXIES=127.0.0.0/8", "TIDEWAITER_LIMIT_PUBLIC=2")
	for _, c := range []struct {
		forwarded string
		want      int
	}{
		{"203.0.113.1", 200},
		{"203.0.113.1", 200},
		{"203.0.113.1", 429},
		{"198.51.100.7, 203.0.113.1", 429}, // the client invents an address
		{"127.0.0.1, 203.0.113.1", 429},    // or uses the proxy's
		{"203.0.113.2", 200},
		{"2001:db8:1:2::1", 200},
		{"2001:db8:1:2:ffff::9", 200},
		{"[2001:db8:1:2::3]:4711", 429}, // the third of the network
		{"2001:db8:1:3::1", 200},
	} {
		if a := s.call("GET", document, "", "X-Forwarded-For: "+c.forwarded); a.status != c.want {
			t.Errorf("%s: %d, want %d", c.forwarded, a.status, c.want)
		}
	}
}

// Without a trusted proxy a client cannot choose its address.
func TestForwardingHeadersOfClients(t *testing.T) {
	t.Parallel()
	s := newTarget(t, "TIDEWAITER_TRUSTED_PROXIES=10.0.0.0/8", "TIDEWAITER_LIMIT_PUBLIC=1")
	s.call("GET", "/api/openapi.json", "", "X-Forwarded-For: 203.0.113.1", "Forwarded: for=203.0.113.1")
	if a := s.call("GET", "/api/openapi.json", "", "X-Forwarded-For: 203.0.113.2", "Forwarded: for=203.0.113.2"); a.status != 429 {
		t.Errorf("another address in the headers was answered %d", a.status)
	}
}

// Audit events, the last use of a key and request logs carry the client's full address.
func TestClientAddressIsRecorded(t *testing.T) {
	t.Parallel()
	const client = "2001:db8:1:2:3:4:5:6"
	s := newTarget(t, "TIDEWAITER_TRUSTED_PROXIES=127.0.0.1/32", "TIDEWAITER_FORWARDED_HEADER=forwarded")
	headers := []string{s.bearer(), `Forwarded: for=1.1.1.1, for="[` + client + `]:4711";proto=https`, "X-Forwarded-For: 9.9.9.9"}
	if a := s.call("POST", "/api/hubs/gvms", "", headers...); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	var trail struct {
		Events []struct{ EventType, IPAddress string }
	}
	if err := json.Unmarshal([]byte(s.call("GET", "/api/audit?limit=1", "", s.bearer()).text), &trail); err != nil {
		t.Fatal(err)
	}
	if len(trail.Events) != 1 || trail.Events[0].IPAddress != client {
		t.Errorf("the newest event is %+v", trail.Events)
	}
	if !strings.Contains(s.Log.String(), `"ip":"`+client+`"`) {
		t.Error("the request's log line has another address")
	}
}
