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

// estate is a PostgreSQL that commits as one in earnest does: the throw-away one of the
// tests does not wait for its disk.
type estate struct {
	*postgres.Server
	folder string
}

// estateSettings are what an operator would set on a machine of this size.
var estateSettings = []string{
	"max_connections=200", "shared_buffers=2GB", "effective_cache_size=12GB", "random_page_cost=1.1", "max_wal_size=2GB", "checkpoint_timeout=15min",
}

func openEstate() (*estate, error) {
	folder, err := os.MkdirTemp("", "tidewaiter-bench-postgres-")
	if err != nil {
		return nil, err
	}
	s, err := postgres.Start(folder, estateSettings...)
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("postgresql: %w", err)
	}
	return &estate{s, folder}, nil
}

func (e *estate) close() {
	e.Stop()
	os.RemoveAll(e.folder)
}

// careless fills something in without waiting for the disk, and has all of it on the
// disk before it goes on.
func (e *estate) careless(ctx context.Context, fill func() error) error {
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

// town is a database of the estate with very many organisations.
type town struct {
	*stock.Stock
	address  string   // of the superuser
	settings []string // that lead a service to it
	data     string
}

// Of how many declarations a town is made, how many of them customs clears, and how
// many are told to an endpoint.
const (
	patterns = 40
	cleared  = 8
	told     = 2
)

// town makes one whose pattern the service itself has made.
func (e *estate) town(ctx context.Context, b *bench, name string) (*town, error) {
	setting, err := server.DatabaseAt(ctx, e.Address("postgres"), name)
	if err != nil {
		return nil, err
	}
	t := &town{address: e.Address(name), settings: []string{setting, allowLoopback, "TIDEWAITER_SIMULATOR_DELAY=1ms"}, data: filepath.Join(b.folder, name)}
	office, err := server.Found(ctx, b.program, t.data, t.settings...)
	if err != nil {
		return nil, err
	}
	p, err := t.serve(ctx, b)
	if err != nil {
		return nil, err
	}
	err = furnishPattern(ctx, p, office)
	p.Stop()
	if err != nil {
		return nil, err
	}
	t.Stock, err = stock.Open(ctx, t.address, tenant.ID(office.Org))
	return t, err
}

// serve starts an instance.
func (t *town) serve(ctx context.Context, b *bench) (*server.Process, error) {
	return server.Start(ctx, b.serve("postgres"), t.data, t.settings...)
}

// furnishPattern makes what every organisation of a town has.
func furnishPattern(ctx context.Context, p *server.Process, office server.Office) error {
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
	// it lies ahead of the copies too, which are older
	dispatch := time.Now().Add(stock.Age).AddDate(0, 0, 9).UTC().Format(time.RFC3339)
	for range 4 {
		if err := call(http.MethodPost, "/api/tss/declarations", fmt.Sprintf(niMovement, dispatch), &struct{}{}); err != nil {
			return err
		}
	}
	var endpoint struct{ Endpoint struct{ ID string } }
	for n := range patterns {
		if n == patterns-told {
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
	if err := await(ctx, "deliveries", func() (bool, error) { n, _ := receiver.Got(); return n >= told, nil }); err != nil {
		return err
	}
	return call(http.MethodPatch, endpointsPath+"/"+endpoint.Endpoint.ID, `{"active":false}`, new(any))
}

// clear submits a declaration and waits until customs has cleared it.
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

// patience is how long anything may take that the service does by itself.
const patience = 30 * time.Second

func await(ctx context.Context, what string, done func() (bool, error)) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		ok, err := done()
		if ok || err != nil || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("no %s within %s", what, patience)
}
