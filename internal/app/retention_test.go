package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// client calls a running service with a key.
type client struct {
	*testing.T
	base, key string
}

func (c client) get(path string, want int) (body map[string]any) {
	c.Helper()
	r, err := http.NewRequest(http.MethodGet, c.base+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != want {
		c.Errorf("%s: %s, want %d", path, answer.Status, want)
	}
	_ = json.NewDecoder(answer.Body).Decode(&body)
	return body
}

// The demo of twelve years ago: everything whose retention period is over is removed, as the dry run has announced.
// Open records stay; lists, exports and deadlines work; removed records answer 404; and the audit trail verifies.
func TestEventsAreKeptForTheRetentionPeriod(t *testing.T) {
	c := apptest.Simulated(t)
	ago := func() time.Time { return time.Now().AddDate(-12, 0, 0) }
	var met demo.Demo
	apptest.Serve(t, c, ago, func(ctx context.Context, a *app.App, _ string) {
		if err := a.Demo(ctx, func(d demo.Demo) { met = d }); err != nil {
			t.Error(err)
		}
	})
	var gone string
	apptest.Serve(t, c, time.Now, func(ctx context.Context, a *app.App, address string) {
		call := client{t, "http://" + address, met.Key}
		for _, d := range call.get("/api/declarations?status=CLEARED&limit=100", 200)["declarations"].([]any) {
			gone = d.(map[string]any)["id"].(string)
		}
		before := len(call.get("/api/declarations?limit=100", 200)["declarations"].([]any))
		call.get("/api/declarations/"+gone, 200)
		kept := checkpoint(t, call)
		planned, err := a.ApplyRetention(ctx, true)
		if err != nil || planned[retention.Records] < 20 || planned[retention.Events] < 100 {
			t.Errorf("to be removed: %v, %v", planned, err)
		}
		did, err := a.ApplyRetention(ctx, false)
		if err != nil || did[retention.Records] != planned[retention.Records] || did[retention.Events] != planned[retention.Events] {
			t.Errorf("removed %v, said %v, %v", did, planned, err)
		}
		left := call.get("/api/declarations?limit=100", 200)["declarations"].([]any)
		for _, d := range left {
			if status := d.(map[string]any)["status"]; !strings.Contains("DRAFT SUBMITTED ACCEPTED", status.(string)) {
				t.Errorf("a declaration is left that is %s", status)
			}
		}
		if len(left) == 0 || len(left) >= before {
			t.Errorf("%d of %d declarations are left", len(left), before)
		}
		for _, path := range []string{"", "/timeline", "/declaration.xml"} {
			call.get("/api/declarations/"+gone+path, 404)
		}
		for _, path := range []string{
			"/api/clients", "/api/shipments", "/api/products", "/api/gvms/movements", "/api/emcs/movements", "/api/tss/declarations", "/api/trade/licences",
			"/api/corporate/filings", "/api/ics2/filings", "/api/cbam/imports", "/api/deadlines", "/api/audit", "/api/audit/checkpoint",
			"/api/audit/export.csv", "/api/export/declarations", "/api/tax/returns", "/api/cbam/reports",
		} {
			call.get(path, 200)
		}
		all, err := a.VerifyAudit(ctx, "", []audit.Checkpoint{kept})
		for _, v := range all {
			if v.Problem != "" || v.Behind == 0 || v.Events == 0 {
				t.Errorf("trail: %+v, %v", v, err)
			}
		}
		if len(all) != 2 {
			t.Errorf("%d trails, %v", len(all), err)
		}
	})
}

// checkpoint returns a checkpoint with the root of the tree over all events.
func checkpoint(t *testing.T, call client) (kept audit.Checkpoint) {
	t.Helper()
	text, err := json.Marshal(call.get("/api/audit/checkpoint", 200))
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || kept.RootHash == "" || kept.OrganisationID == "" {
		t.Fatalf("%s: %v", text, err)
	}
	return kept
}
