package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
	"github.com/tidewaiter/tidewaiter/test/bench/stock"
	"github.com/tidewaiter/tidewaiter/test/postgres"
)

// durableServer is a PostgreSQL server that commits durably; the temporary server of the tests does not wait for
// its disk.
type durableServer struct {
	*postgres.Server
	folder string
}

// durableSettings are what an operator would set on a machine of this size.
var durableSettings = []string{
	"max_connections=400", "shared_buffers=2GB", "effective_cache_size=12GB", "random_page_cost=1.1", "max_wal_size=2GB", "checkpoint_timeout=15min",
}

func openDurableServer() (*durableServer, error) {
	folder, err := os.MkdirTemp("", "tidewaiter-bench-postgres-")
	if err != nil {
		return nil, err
	}
	s, err := postgres.Start(folder, durableSettings...)
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("postgresql: %w", err)
	}
	return &durableServer{s, folder}, nil
}

func (e *durableServer) close() {
	e.Stop()
	os.RemoveAll(e.folder)
}

// withoutSync writes data without waiting for the disk, and waits until all of it is on the disk before it
// returns.
func (e *durableServer) withoutSync(ctx context.Context, fill func() error) error {
	conn, err := pgx.Connect(ctx, e.Address("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	each := func(statements ...string) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}
	err = each("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off", "SELECT pg_reload_conf()")
	if err == nil {
		err = fill()
	}
	if err == nil {
		err = each("CHECKPOINT", "ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()")
	}
	syscall.Sync()
	return err
}

// tenantDatabase is a database with very many organisations.
type tenantDatabase struct {
	*stock.Stock
	address  string   // of the superuser
	settings []string // with which a service uses it
	data     string
}

// The number of template declarations, and how many of them are cleared and sent to an endpoint.
const (
	patterns = 40
	cleared  = 8
	notified = 2
)

// tenantDatabase creates one whose template the service itself has written.
func (e *durableServer) tenantDatabase(ctx context.Context, b *bench, name string) (*tenantDatabase, error) {
	setting, err := server.DatabaseAt(ctx, e.Address("postgres"), name)
	if err != nil {
		return nil, err
	}
	t := &tenantDatabase{address: e.Address(name), settings: []string{setting, allowLoopback, "TIDEWAITER_SIMULATOR_DELAY=1ms"}, data: filepath.Join(b.folder, name)}
	office, err := server.Found(ctx, b.program, t.data, t.settings...)
	if err != nil {
		return nil, err
	}
	p, err := t.serve(ctx, b)
	if err != nil {
		return nil, err
	}
	if err = createPattern(ctx, p, office); err == nil {
		err = awaitIndex(ctx, t.data) // which the other processes would make while they are measured
	}
	p.Stop()
	if err != nil {
		return nil, err
	}
	t.Stock, err = stock.Open(ctx, t.address, tenant.ID(office.Org))
	return t, err
}

// serve starts an instance.
func (t *tenantDatabase) serve(ctx context.Context, b *bench) (*server.Process, error) {
	return server.Start(ctx, b.serve("postgres"), t.data, t.settings...)
}

// createPattern creates what every organisation of the database has.
func createPattern(ctx context.Context, p *server.Process, office server.Office) error {
	receiver, err := load.Receive(false)
	if err != nil {
		return err
	}
	defer receiver.Close()
	call := func(method, path, body string, answer any) error {
		return office.Call(p.Address, method, path, body, answer)
	}
	if err := call(http.MethodPost, "/api/hubs/tss", "", &struct{}{}); err != nil {
		return err
	}
	// it is in the future of the copies too, which are older
	dispatch := time.Now().Add(stock.Age).AddDate(0, 0, 9).UTC().Format(time.RFC3339)
	for range 4 {
		if err := call(http.MethodPost, "/api/tss/declarations", fmt.Sprintf(niMovement, dispatch), &struct{}{}); err != nil {
			return err
		}
	}
	var endpoint struct{ Endpoint struct{ ID string } }
	for n := range patterns {
		if n == patterns-notified {
			if err := call(http.MethodPost, endpointsPath, `{"url":"`+receiver.URL()+`","events":["declaration.created"]}`, &endpoint); err != nil {
				return err
			}
		}
		var made struct{ ID string }
		if err := call(http.MethodPost, "/api/declarations", string(office.DeclarationNumbered(n)), &made); err != nil {
			return err
		}
		if n%(patterns/cleared) != 0 {
			continue
		}
		if err := clear(ctx, call, made.ID); err != nil {
			return err
		}
	}
	if err := await(ctx, "deliveries", func() (bool, error) { n, _ := receiver.Got(); return n >= notified, nil }); err != nil {
		return err
	}
	return call(http.MethodPatch, endpointsPath+"/"+endpoint.Endpoint.ID, `{"active":false}`, new(any))
}

// clear submits a declaration and waits until it is cleared.
func clear(ctx context.Context, call func(method, path, body string, answer any) error, id string) error {
	if err := call(http.MethodPost, "/api/cds/submit", `{"declarationId":"`+id+`"}`, new(any)); err != nil {
		return err
	}
	return await(ctx, "clearance", func() (bool, error) {
		var now struct{ Declaration struct{ Status string } }
		err := call(http.MethodGet, "/api/declarations/"+id, "", &now)
		return now.Declaration.Status == "CLEARED", err
	})
}

// waitLimit is how long the service may take for anything that it does by itself.
const waitLimit = 30 * time.Second

func await(ctx context.Context, what string, done func() (bool, error)) error {
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		ok, err := done()
		if ok || err != nil || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("no %s within %s", what, waitLimit)
}
