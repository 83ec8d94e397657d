package move_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/move"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// answersOf returns what an installation answers to requests for all its records, by path.
func answersOf(t *testing.T, c config.Config, key string, now time.Time) map[string]string {
	t.Helper()
	all := map[string]string{}
	apptest.Serve(t, c, func() time.Time { return now }, func(ctx context.Context, a *app.App, address string) {
		for {
			due, err := a.Store.DueTimers(ctx, timer.Due{}, 1)
			if err != nil {
				t.Error(err)
			}
			if len(due) == 0 || ctx.Err() != nil {
				break // all timers have run
			}
			time.Sleep(5 * time.Millisecond)
		}
		for _, path := range []string{
			"/api/declarations?limit=100", "/api/clients?limit=100", "/api/shipments?limit=100", "/api/gvms/movements", "/api/emcs/movements", "/api/tss/declarations", "/api/trade/licences",
			"/api/corporate/filings", "/api/ics2/filings", "/api/cbam/imports", "/api/cbam/reports", "/api/tax/returns", "/api/tax/periods", "/api/deadlines", "/api/audit?limit=100",
			"/api/audit/checkpoint", "/api/organisation", "/api/webhooks/endpoints", // exports are left out: they record an event
		} {
			r, err := http.NewRequest(http.MethodGet, "http://"+address+path, nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+key)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s, %v", path, answer.Status, err)
			}
			all[path] = answer.Status + string(body)
		}
	})
	return all
}

// The demo, which has records of every Hub, is moved to PostgreSQL and back. Each time the answers are the same byte for
// byte, and the audit trails verify.
func TestMove(t *testing.T) {
	there := storetest.Postgres(t)
	c := apptest.Simulated(t)
	var met demo.Demo
	apptest.Serve(t, c, time.Now, func(ctx context.Context, a *app.App, _ string) {
		if err := a.Demo(ctx, func(d demo.Demo) { met = d }); err != nil {
			t.Error(err)
		}
	})
	now := time.Now()
	before := answersOf(t, c, met.Key, now)
	found := 0
	for path, answer := range before {
		if strings.HasPrefix(answer, "200") && len(answer) > 100 {
			found++
		} else {
			t.Logf("%s: %.100s", path, answer)
		}
	}
	if found < 15 {
		t.Errorf("%d of %d lists have something to compare", found, len(before))
	}
	postgres, back := c, c
	postgres.DatabaseURL = there.URL
	back.Data = t.TempDir()
	key, err := os.ReadFile(filepath.Join(c.Data, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	back.MasterKey = string(key)
	for _, step := range []struct {
		from, to string
		c        config.Config
	}{{"sqlite:" + c.Data, there.Owner, postgres}, {there.Owner, back.Data, back}} {
		moved, err := move.Move(t.Context(), app.Deps{}.Environment(), step.from, step.to, func(move.Progress) {})
		if err != nil || len(moved.Trails) != 2 || len(moved.Tables) < 35 {
			t.Fatalf("%d trails, %d tables, %v", len(moved.Trails), len(moved.Tables), err)
		}
		if again, err := move.Move(t.Context(), app.Deps{}.Environment(), step.from, step.to, func(move.Progress) {}); err != nil || !again.AlreadyMoved {
			t.Errorf("run again after all was moved: %+v, %v", again, err)
		}
		for path, after := range answersOf(t, step.c, met.Key, now) {
			if after != before[path] {
				from := 0
				for from < min(len(after), len(before[path])) && after[from] == before[path][from] {
					from++
				}
				t.Errorf("%s: %s changed: was %.100q, now %.100q", step.to, path, before[path][from:], after[from:])
			}
		}
	}
	if _, err := move.Move(t.Context(), app.Deps{}.Environment(), c.Data, "sqlite:"+c.Data, nil); err == nil {
		t.Error("an installation was moved to itself")
	}
}

// Doctor reports the target of an interrupted move.
func TestDoctorReportsInterruptedMove(t *testing.T) {
	c := apptest.Simulated(t)
	apptest.Serve(t, c, time.Now, func(context.Context, *app.App, string) {})
	half := c
	half.Data = filepath.Join(t.TempDir(), "data")
	halfway, stop := context.WithCancel(t.Context())
	if _, err := move.Move(halfway, app.Deps{}.Environment(), c.Data, half.Data, func(move.Progress) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r := doctor.Examine(t.Context(), half, &config.Given{}, app.Deps{}.Environment(), false)
	if !slices.ContainsFunc(r.Checks, func(c check.Result) bool { return c.Name == "database, move" && c.Outcome == check.Fail }) || r.Healthy {
		t.Errorf("%+v", r)
	}
}
