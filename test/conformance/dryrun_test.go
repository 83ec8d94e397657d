package conformance

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A dry run of a creation answers 200 in the form of the creation, without id, after the same checks. It stores no
// record, no event and no answer for its Idempotency-Key.
func TestDryRun(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		tests := map[string]any{"/api/clients": map[string]any{"name": "A"}, "/api/cbam/reports": nil}
		made := map[string]int{"/api/clients": 201, "/api/cbam/reports": 200}
		wrong := map[string]any{"colour": "red"}
		for _, s := range hubKinds(t) {
			c.call("POST", s.Path+"?dryRun=true", s.body()).refused(t, 402, "hub_not_enabled")
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			tests[s.Path], made[s.Path] = s.body(), s.made()
		}
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId")
		tests["/api/shipments"], made["/api/shipments"] = map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"}, 201
		tests["/api/declarations"], made["/api/declarations"] = goods(shipment, ""), 201
		c.call("POST", "/api/hubs/tax", nil)
		tests["/api/tax/returns"], made["/api/tax/returns"] = map[string]any{"periodId": c.period()}, 200
		events := len(c.events("limit=200"))
		lists := map[string]string{}
		for path := range tests {
			lists[path] = c.call("GET", path, nil).want(t, 200).text
		}
		viewer := c.as("VIEWER")
		for path, body := range tests {
			dry := c.call("POST", path+"?dryRun=true", body, "Idempotency-Key", "dry").want(t, 200)
			if dry.id() != "" || dry.header.Get("ETag") != `"1"` || dry.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("%s: %v %s", path, dry.header, dry.text)
			}
			c.call("POST", path+"?dryRun=true", wrong).refused(t, 400, "invalid_request")
			c.call("POST", path+"?dryRun=maybe", body).refused(t, 400, "invalid_request")
			viewer.call("POST", path+"?dryRun=true", body).refused(t, 403, "read_only_key")
			if now := c.call("GET", path, nil).want(t, 200).text; now != lists[path] {
				t.Errorf("%s: the dry run stored %s", path, now)
			}
		}
		c.call("POST", "/api/shipments?dryRun=true", map[string]any{"clientId": missing, "portOfEntry": "GBFXT", "transportMode": "SEA"}).refused(t, 400, "invalid_request")
		refusals := 0
		for _, e := range c.events("limit=200") {
			if e["toStatus"] == nil {
				refusals++
			}
		}
		if now := len(c.events("limit=200")) - refusals; now > events {
			t.Errorf("%d events, %d before", now, events)
		}
		for path, body := range tests {
			dry := c.call("POST", path+"?dryRun=true", body).want(t, 200)
			real := c.call("POST", path+"?dryRun=false", body, "Idempotency-Key", "dry"+path).want(t, made[path])
			if a, b := membersOf(dry), membersOf(real); !slices.Equal(a, slices.DeleteFunc(b, func(name string) bool { return name == "id" })) {
				t.Errorf("%s: members %v, then %v", path, a, b)
			}
		}
	})
}

// membersOf are the names of the members of an answer's record.
func membersOf(a answer) []string {
	record := a.body
	if len(record) == 1 {
		for _, only := range record {
			record, _ = only.(map[string]any)
		}
	}
	return slices.Sorted(maps.Keys(record))
}

// What is no filing can be tried out too: keys, feeds, jobs and others answer in the form of their creation without id
// and secrets, after the same checks, and leave no trace.
func TestDryRunOfSettings(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		viewer := c.as("VIEWER")
		c.call("POST", "/api/hubs/tax", nil).want(t, 200)
		client := c.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201).id()
		key := map[string]any{"name": "K", "role": "MEMBER"}
		tests := map[string]struct {
			body     any
			status   int      // of the creation
			withheld []string // what the dry run leaves out
			kept     string   // a list that shows what is stored
		}{
			keysPath:                       {key, 201, []string{"key.id", "secret"}, keysPath},
			"/api/sandbox/keys":            {key, 201, []string{"key.id", "secret"}, ""},
			"/api/deadlines/feed":          {nil, 201, []string{"feed.token", "feed.url"}, "/api/deadlines/feed"},
			"/api/organisation/scim-token": {nil, 201, []string{"token"}, ""},
			"/api/comments":                {map[string]any{"recordType": "client", "recordId": client, "text": "T"}, 201, []string{"comment.id"}, "/api/comments"},
			"/api/holds":                   {map[string]any{"recordId": client, "reason": "R"}, 200, nil, "/api/holds"},
			"/api/webhooks/endpoints":      {map[string]any{"url": "http://127.0.0.1:9999/hook", "events": []string{"cbam.report.created"}}, 200, []string{"endpoint.id", "endpoint.secret"}, "/api/webhooks/endpoints"},
			portalPath:                     {map[string]any{"expiresInMinutes": 5}, 201, []string{"url"}, portalPath},
			"/api/organisation/export":     {nil, 202, []string{"job.id"}, ""},
			"/api/batches":                 {map[string]any{"operations": []any{map[string]any{"method": "POST", "path": "/api/clients", "body": map[string]any{"name": "B"}}}}, 202, []string{"batch.id"}, "/api/clients"},
		}
		for path, test := range tests {
			stored := func() (text string) {
				if test.kept != "" {
					text = lastUse.ReplaceAllString(c.call("GET", test.kept, nil).want(t, 200).text, "")
				}
				return text
			}
			before := stored()
			dry := c.call("POST", path+"?dryRun=true", test.body, "Idempotency-Key", "dry").want(t, 200)
			if dry.header.Get("Idempotent-Replayed") != "" || stored() != before {
				t.Errorf("%s: the dry run stored something: %s", path, stored())
			}
			c.call("POST", path+"?dryRun=maybe", test.body, "Idempotency-Key", "dry").refused(t, 400, "invalid_request")
			made := c.call("POST", path, test.body, "Idempotency-Key", "dry"+path).want(t, test.status)
			missing := slices.DeleteFunc(paths(made.body), func(path string) bool { return slices.Contains(paths(dry.body), path) })
			if !slices.Equal(missing, test.withheld) {
				t.Errorf("%s: a dry run leaves out %v, want %v", path, missing, test.withheld)
			}
		}
		for path, test := range tests { // afterwards, since a refusal is an event
			viewer.call("POST", path+"?dryRun=true", test.body, "Idempotency-Key", "dry").refused(t, 403, "read_only_key")
		}
	}, allowPrivate)
}

// lastUse is the last use of a key, which is stored a moment after its answer.
var lastUse = regexp.MustCompile(`"lastUsed(At|From)":[^,}]+`)

// paths are the paths of an object's members at every depth, in order.
func paths(object map[string]any) (all []string) {
	for name, member := range object {
		inner, ok := member.(map[string]any)
		if !ok {
			all = append(all, name)
		}
		for _, path := range paths(inner) {
			all = append(all, name+"."+path)
		}
	}
	slices.Sort(all)
	return all
}
