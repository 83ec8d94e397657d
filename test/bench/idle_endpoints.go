package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Endpoints that wait for events, in organisations that have as many as they may.
const (
	idleOrganisations = 100
	idleEndpoints     = idleOrganisations * webhook.MaxEndpoints
	maxForEndpoints   = 20 // MB for all of them
)

// collected is how long a server must be idle until its memory is read: its garbage is collected at least every two minutes.
const collected = 150 * time.Second

// holdEndpoints is how many MB more the server uses with many endpoints than without: while they have waited since its start, and after
// each has got an event, when the garbage collector has the room that it then needed.
func (b *bench) holdEndpoints(ctx context.Context) (idle, delivered float64, err error) {
	without, err := b.newIdleServer(ctx, 0)
	if err != nil {
		return 0, 0, err
	}
	defer without.close()
	with, err := b.newIdleServer(ctx, webhook.MaxEndpoints)
	if err != nil {
		return 0, 0, err
	}
	defer with.close()
	if idle, err = compareIdle(ctx, without, with); err != nil {
		return 0, 0, err
	}
	for _, s := range []*idleServer{without, with} {
		if err := s.deliver(ctx); err != nil {
			return 0, 0, err
		}
	}
	delivered, err = compareIdle(ctx, without, with)
	return idle, delivered, err
}

// compareIdle is how many MB more a server uses than another, after a while without requests.
func compareIdle(ctx context.Context, less, more *idleServer) (above float64, err error) {
	select {
	case <-time.After(collected):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	low, err := less.p.Resident()
	if err != nil {
		return 0, err
	}
	high, err := more.p.Resident()
	return float64(high-low) / 1e6, err
}

// idleServer is a server with many organisations.
type idleServer struct {
	p        *server.Process
	offices  []server.Office
	each     int // endpoints of an organisation
	receiver *load.Receiver
}

// newIdleServer creates organisations with so many endpoints each, and starts a server that finds them in its data.
func (b *bench) newIdleServer(ctx context.Context, each int) (s *idleServer, err error) {
	name := fmt.Sprintf("idle-%d", each)
	data := filepath.Join(b.folder, name)
	s = &idleServer{each: each}
	for range idleOrganisations {
		o, err := server.Create(ctx, b.program, data)
		if err != nil {
			return nil, err
		}
		s.offices = append(s.offices, o)
	}
	if s.receiver, err = load.Receive(false); err != nil {
		return nil, err
	}
	if s.p, err = server.Start(ctx, b.serve(name), data, allowLoopback); err != nil {
		return nil, err
	}
	err = s.addEndpoints()
	s.p.Stop()
	if err != nil {
		return nil, err
	}
	s.p, err = server.Start(ctx, b.serve(name), data, allowLoopback)
	return s, err
}

func (s *idleServer) close() {
	s.p.Stop()
	s.receiver.Close()
}

func (s *idleServer) addEndpoints() error {
	for _, o := range s.offices {
		for n := range s.each {
			if err := o.Call(s.p.Address, http.MethodPost, endpointsPath, fmt.Sprintf(`{"url":"%s%d"}`, s.receiver.URL(), n), new(any)); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliver waits until an event of each organisation has arrived at all of its endpoints.
func (s *idleServer) deliver(ctx context.Context) error {
	for _, o := range s.offices {
		if err := o.Call(s.p.Address, http.MethodPost, "/api/clients", `{"name":"Harbour Textiles Ltd"}`, new(any)); err != nil {
			return err
		}
	}
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if n, _ := s.receiver.Got(); n >= len(s.offices)*s.each {
			return nil
		}
		if time.Since(began) > deliveryLimit || ctx.Err() != nil {
			return fmt.Errorf("not all deliveries arrived within %s", deliveryLimit)
		}
	}
}
