package webhook_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The bytes of a notice never change, because receivers have verified and stored them.
func TestNoticeBytes(t *testing.T) {
	e := audit.Event{
		ID: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", Type: "tss.declaration.accepted", ResourceID: "0192f3c4-7a10-7c3e-8f00-000000000001",
		OccurredAt: time.Date(2026, 11, 21, 9, 0, 0, 7_000_000, time.UTC), FromStatus: "SUBMITTED", ToStatus: "ACCEPTED",
	}
	object := []byte(`{"id":"0192f3c4-7a10-7c3e-8f00-000000000001","status":"ACCEPTED","goodsDescription":"Tee <ü> & \"x\"","netMassKg":120.50}`)
	const org = "0192f3c4-7a10-7c3e-8f00-00000000000a"
	accepted := webhook.NewNotice(org, tenant.Simulator, &e, object)
	if accepted.ID != "evt_"+e.ID || accepted.ResourceID != e.ResourceID || accepted.Type != e.Type || !accepted.CreatedAt.Equal(e.OccurredAt) {
		t.Errorf("%+v", accepted)
	}
	e.Type, e.FromStatus = "tss.declaration.created", ""
	golden(t, "notices.jsonl", accepted.Body+"\n"+webhook.NewNotice(org, tenant.Simulator, &e, object).Body+"\n")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nnot\n%s", name, got, want)
	}
}
