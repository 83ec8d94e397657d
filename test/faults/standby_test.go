package faults_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/postgres"
)

// standbyName is the primary's name of the standby for which every commit waits.
const standbyName = "tidewaiter_standby"

// pair is a primary PostgreSQL server whose commits wait for a standby.
type pair struct{ primary, standby *postgres.Server }

func newPair(t *testing.T) pair {
	t.Helper()
	primary, err := postgres.Start(folder(t), "synchronous_standby_names="+standbyName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(primary.Stop)
	standby, err := primary.Standby(folder(t), standbyName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.Stop)
	admin, err := sql.Open("pgx", primary.Address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	eventually(t, 30*time.Second, "the standby follows", func() bool {
		var state string
		err := admin.QueryRow("SELECT sync_state FROM pg_stat_replication WHERE application_name = $1", standbyName).Scan(&state)
		return err == nil && state == "sync"
	})
	for _, statement := range []string{"CREATE ROLE tidewaiter LOGIN", "CREATE DATABASE tidewaiter OWNER tidewaiter"} {
		if _, err := admin.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return pair{primary, standby}
}

// folder is a folder that the database server's account may enter.
func folder(t *testing.T) string {
	t.Helper()
	path, err := os.MkdirTemp("", "tidewaiter-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(path) })
	return path
}

// address names both servers, so that the service must find the writable one.
func (p pair) address(primary string) string {
	return fmt.Sprintf("postgres://tidewaiter@%s,127.0.0.1:%d/tidewaiter?sslmode=disable", primary, p.standby.Port)
}

// If the primary dies under load, or can no longer be reached, the service continues by itself on the promoted
// standby, with everything acknowledged.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	t.Run("killed", func(t *testing.T) {
		p := newPair(t)
		at := fmt.Sprintf("127.0.0.1:%d", p.primary.Port)
		testStandby(t, p, p.address(at), p.primary.Kill)
	})
	t.Run("cut off", func(t *testing.T) {
		p := newPair(t)
		w := proxyTo(t, fmt.Sprintf("127.0.0.1:%d", p.primary.Port))
		testStandby(t, p, p.address(w.address), func() {
			w.freeze()
			t.Cleanup(w.thaw)
		})
	})
}

func testStandby(t *testing.T, servers pair, address string, lose func()) {
	p := newHost(t, storetest.Backend{Name: "postgres", URL: address})
	running, c := p.withOrganisation(t)
	l := newLoad(c, c.shipment(t), callerPause(20*time.Millisecond))
	finish := l.run(t.Context(), callers)
	eventually(t, finishLimit, "the load is under way", func() bool { return len(l.acknowledged()) > callers })
	l.await(creating, randomSource(t))
	before := len(l.acknowledged())
	lose()
	eventually(t, recoverLimit, "readyz says that the database does not answer", func() bool { return c.ready() == http.StatusServiceUnavailable })
	if err := servers.standby.Promote(); err != nil {
		t.Fatal(err)
	}
	took := eventually(t, recoverLimit, "readyz says ready", func() bool { return c.ready() == http.StatusOK })
	eventually(t, recoverLimit, "declarations are taken again", func() bool { return len(l.acknowledged()) > before+callers })
	finish()
	p.Settings["TIDEWAITER_DATABASE_URL"] = servers.standby.Address("tidewaiter") // the test's own queries must not wait for the lost server
	l.end(t, p, p, running)
	p.sentOnce(t)
	t.Logf("%d declarations before, %d in all; ready %s after the standby was promoted", before, len(l.acknowledged()), took.Round(time.Millisecond))
}
