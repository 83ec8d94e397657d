package app_test

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
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// shown is what an installation answers to whoever asks for all its records.
func shown(t *testing.T, c config.Config, key string, now time.Time) map[string]string {
	t.Helper()
	all := map[string]string{}
	serve(t, c, func() time.Time { return now }, func(ctx context.Context, a *app.App, address string) {
		for {
			due, err := a.Store.DueTimers(ctx, timer.Due{}, 1)
			if err != nil {
				t.Error(err)
			}
			if len(due) == 0 || ctx.Err() != nil {
				break // what time does has been done
			}
			time.Sleep(5 * time.Millisecond)
		}
		for _, path := range []string{
			"/api/declarations?limit=100", "/api/clients?limit=100", "/api/shipments?limit=100", "/api/gvms/movements", "/api/emcs/movements", "/api/tss/declarations", "/api/trade/licences",
			"/api/corporate/filings", "/api/ics2/filings", "/api/cbam/imports", "/api/cbam/reports", "/api/tax/returns", "/api/tax/periods", "/api/deadlines", "/api/audit?limit=100",
			"/api/audit/checkpoint", "/api/organisation", "/api/webhooks/endpoints", // and no exports: they are events themselves
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

// The story of the demo, with something of every Hub, is moved to PostgreSQL and back:
// each time the same is answered, byte for byte, and the trails verify.
func TestMoveStory(t *testing.T) {
	there := storetest.Postgres(t)
	c := simulated(t)
	var met demo.Demo
	serve(t, c, time.Now, func(ctx context.Context, a *app.App, _ string) {
		if err := a.Demo(ctx, func(d demo.Demo) { met = d }); err != nil {
			t.Error(err)
		}
	})
	now := time.Now()
	before := shown(t, c, met.Key, now)
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
	fleet, home := c, c
	fleet.DatabaseURL = there.URL
	home.Data = t.TempDir()
	key, err := os.ReadFile(filepath.Join(c.Data, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	home.MasterKey = string(key)
	for _, step := range []struct {
		from, to string
		c        config.Config
	}{{"sqlite:" + c.Data, there.Owner, fleet}, {there.Owner, home.Data, home}} {
		arrived, err := app.Move(t.Context(), app.Deps{}, step.from, step.to, func(app.Moved) {})
		if err != nil || len(arrived.Trails) != 2 || len(arrived.Tables) < 35 {
			t.Fatalf("%d trails, %d tables, %v", len(arrived.Trails), len(arrived.Tables), err)
		}
		if again, err := app.Move(t.Context(), app.Deps{}, step.from, step.to, func(app.Moved) {}); err != nil || !again.Before {
			t.Errorf("run again when all was moved: %+v, %v", again, err)
		}
		for path, after := range shown(t, step.c, met.Key, now) {
			if after != before[path] {
				from := 0
				for from < min(len(after), len(before[path])) && after[from] == before[path][from] {
					from++
				}
				t.Errorf("%s: %s is not what it was: %.100q, now %.100q", step.to, path, before[path][from:], after[from:])
			}
		}
	}
	if _, err := app.Move(t.Context(), app.Deps{}, c.Data, "sqlite:"+c.Data, nil); err == nil {
		t.Error("moved to where it was")
	}
}

// A target that a move has not come to the end of is not healthy.
func TestDoctorSeesHalfAMove(t *testing.T) {
	c, _ := installation(t, 1)
	half := elsewhere(t, c)
	halfway, stop := context.WithCancel(t.Context())
	if _, err := app.Move(halfway, app.Deps{}, c.Data, half.Data, func(app.Moved) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	r := app.Examine(t.Context(), half, &config.Given{}, app.Deps{}, false)
	if !slices.ContainsFunc(r.Checks, func(c doctor.Check) bool { return c.Name == "database, move" && c.Outcome == doctor.Fail }) || r.Healthy {
		t.Errorf("%+v", r)
	}
}
