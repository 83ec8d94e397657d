package app_test

import (
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// HMRC ends a consent 18 months after it was given. Sixty days before, the consent is EXPIRING and the list of deadlines has its renewal. After its end nothing is sent, and the
// answer says why and what to do. With the next consent, everything goes on.
func TestConsentsEnd(t *testing.T) {
	for authority, start := range map[string]func(*testing.T, func() time.Time) *fronted{
		"ens": func(t *testing.T, now func() time.Time) *fronted {
			sim, err := enssim.New(simulator.Options{Clock: simulator.OneClock(now), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			return startFrontAt(t, storetest.SQLite(t), now, "ens", "ics2", "/api/ics2/filings", "ics2.filing", sim, func(c *config.Config) *config.Authority { return &c.ENS })
		},
		"gvms": func(t *testing.T, now func() time.Time) *fronted {
			sim, err := gvmssim.New(simulator.Options{Clock: simulator.OneClock(now), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			return startFrontAt(t, storetest.SQLite(t), now, "gvms", "gvms", "/api/gvms/movements", "gvms.movement", sim, func(c *config.Config) *config.Authority { return &c.GVMS })
		},
	} {
		t.Run(authority, func(t *testing.T) {
			var ahead atomic.Int64 // of the machine's clock
			now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
			d := start(t, now)
			given := now()
			d.agree()
			d.sends(now(), true)
			ahead.Store(int64(given.AddDate(0, 18, -59).Sub(given)))
			d.sweep()
			if text := d.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil); !strings.Contains(text, `"EXPIRING"`) {
				t.Errorf("it is not EXPIRING: %s", text)
			}
			if text := d.request(http.MethodGet, "/api/deadlines?limit=100", "", http.StatusOK, nil); !strings.Contains(text, "Renew the consent at HMRC for GB123456789000 "+strings.ToUpper(authority)) {
				t.Errorf("no deadline: %s", text)
			}
			d.sends(now(), true)
			ahead.Store(int64(given.AddDate(0, 18, 1).Sub(given)))
			d.sends(now(), false)
			if text := d.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil); !strings.Contains(text, `"EXPIRED"`) {
				t.Errorf("it is not EXPIRED: %s", text)
			}
			d.agree()
			d.sends(now(), true)
		})
	}
}

// sweep makes the transitions that are due by the clock, as the service does every minute.
func (d *fronted) sweep() {
	d.t.Helper()
	if _, err := d.Sweeper().SweepOrganisation(d.t.Context(), d.org); err != nil {
		d.t.Fatal(err)
	}
}

// sends makes a record and expects HMRC to get it, or the answer that the consent has ended.
func (d *fronted) sends(now time.Time, gets bool) {
	d.t.Helper()
	body, submit := entryBody(now), true
	if d.authority == "gvms" {
		d.vehicles++
		vehicle := "AB24 AA" + string(rune('A'+d.vehicles))
		at := now.AddDate(0, 0, 2).UTC().Format(time.RFC3339)
		body, submit = `{"routeFrom":"Calais","routeTo":"Dover","vehicleReg":"`+vehicle+`","crossingDate":"`+at+`","customsDeclarations":["26GB3TTI2CQ1C7FG`+vehicle[len(vehicle)-1:]+`4"]}`, false
	}
	status := map[bool]int{true: http.StatusOK, false: http.StatusConflict}[gets]
	var made struct {
		ID     string
		Filing struct{ ID string }
	}
	text := ""
	if submit {
		d.request(http.MethodPost, d.path, body, http.StatusOK, &made)
		text = d.request(http.MethodPost, d.path+"/"+made.Filing.ID+"/submit", "", status, nil)
	} else {
		if gets {
			status = http.StatusCreated
		}
		text = d.request(http.MethodPost, d.path, body, status, &made)
	}
	if !gets {
		if !strings.Contains(text, "consent at HMRC has ended. An OWNER must connect it") {
			d.t.Errorf("after the end: %s", text)
		}
		return
	}
	d.reaches(made.ID+made.Filing.ID, map[bool]string{true: "ACCEPTED", false: "OPEN"}[submit])
}
