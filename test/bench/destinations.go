package main

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
	"github.com/tidewaiter/tidewaiter/test/broker"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// transient is a queue of RabbitMQ in memory. Its other one is on disk, which the receiver over HTTPS does not do.
const transient = "amqp, queue in memory"

// brokerKinds are measured beside HTTPS.
var brokerKinds = []string{"nats", "kafka", "amqp", transient}

// minShare is what a broker gets at least, in multiples of what a receiver gets over HTTPS.
const minShare = 1.0

// pollWaiting is the time between two questions how many deliveries wait. Counting 10,000 takes 3 ms: every 20 ms that was up to half of
// the processor time of the deliveries.
const pollWaiting = 100 * time.Millisecond

// asTest lets the bench start brokers as tests do. What would end a test ends the part.
type asTest struct {
	testing.TB
	folder  string
	cleanup []func()
}

// left is why a broker was not started.
type left struct {
	why     string
	skipped bool
}

func (*asTest) Helper()                      {}
func (a *asTest) TempDir() string            { return a.folder }
func (a *asTest) Cleanup(f func())           { a.cleanup = append(a.cleanup, f) }
func (*asTest) Fatal(args ...any)            { panic(left{fmt.Sprint(args...), false}) }
func (*asTest) Fatalf(f string, args ...any) { panic(left{fmt.Sprintf(f, args...), false}) }
func (*asTest) Skip(args ...any)             { panic(left{fmt.Sprint(args...), true}) }
func (*asTest) Skipf(f string, args ...any)  { panic(left{fmt.Sprintf(f, args...), true}) }
func (a *asTest) close() {
	for _, f := range a.cleanup {
		f()
	}
}

// startBroker returns the body that creates an endpoint for a new broker; none, with the reason, if it is not installed.
func startBroker(b *bench, kind string) (body, why string, stop func(), err error) {
	a := &asTest{folder: filepath.Join(b.folder, "broker-"+strings.ReplaceAll(kind, " ", "-"))}
	if err := os.MkdirAll(a.folder, 0o700); err != nil {
		return "", "", a.close, err
	}
	defer func() {
		if reason, ended := recover().(left); ended {
			if why = reason.why; !reason.skipped {
				err = fmt.Errorf("%s: %s", kind, reason.why)
			}
		}
	}()
	var in webhook.Input
	if kind == transient {
		in = broker.Start(a, "amqp").TransientInput()
	} else {
		in = broker.Start(a, kind).Input()
	}
	text, err := json.Marshal(in)
	return string(text), "", a.close, err
}

// measureDestinations drains the same queue to a receiver over HTTPS and to brokers.
func measureDestinations(ctx context.Context, b *bench) (s section, err error) {
	s = section{
		text: fmt.Sprintf("A queue of %s events on SQLite, from the moment when its endpoint is resumed until nothing waits: to a receiver over HTTPS that answers at once, and to brokers on this machine without TLS, all of which but the queue in memory store messages on disk. Median of %d rounds, in turns.",
			grouped(queue), b.rounds),
		head: []string{"", "deliveries/s", "to HTTPS", "processor of the service, µs a delivery"},
	}
	if err := os.Setenv(program.FolderVariable, b.folder); err != nil {
		return s, err
	}
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer receiver.Close()
	authority := filepath.Join(b.folder, "authority.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: receiver.Certificate().Raw}), 0o600); err != nil {
		return s, err
	}
	bodies, kinds := map[string]string{"https": `{"url":"` + receiver.URL + `"}`}, []string{"https"}
	for _, kind := range brokerKinds {
		body, why, stop, err := startBroker(b, kind)
		defer stop()
		if err != nil {
			return s, err
		}
		if why != "" {
			s.notes = append(s.notes, "Not measured: "+kind+": "+why)
			continue
		}
		bodies[kind], kinds = body, append(kinds, kind)
	}
	rates, costs, err := b.drainEach(ctx, kinds, bodies, allowLoopback, "SSL_CERT_FILE="+authority)
	if err != nil {
		return s, err
	}
	for _, kind := range kinds {
		share := load.Median(rates[kind]) / load.Median(rates["https"])
		s.rows = append(s.rows, []string{kind, grouped(int(load.Median(rates[kind]))), short(share), short(load.Median(costs[kind]))})
		if kind != "https" {
			s.verdicts = append(s.verdicts, atLeast("deliveries to "+kind+", to HTTPS", share, minShare))
		}
	}
	return s, nil
}

// drainEach measures the deliveries per second of each kind, in turns, and the service's microseconds of processor time for one.
func (b *bench) drainEach(ctx context.Context, kinds []string, bodies map[string]string, settings ...string) (rates, costs map[string][]float64, err error) {
	data := filepath.Join(b.folder, "destinations")
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return nil, nil, err
	}
	p, err := server.Start(ctx, b.serve("destinations"), data, settings...)
	if err != nil {
		return nil, nil, err
	}
	defer p.Stop()
	rates, costs = map[string][]float64{}, map[string][]float64{}
	for range b.rounds {
		for _, kind := range kinds {
			rate, cost, err := drainOnce(ctx, p, office, bodies[kind])
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", kind, err)
			}
			rates[kind], costs[kind] = append(rates[kind], rate), append(costs[kind], cost)
		}
	}
	return rates, costs, nil
}

// drainOnce fills the queue of a new endpoint, drains it, and removes the endpoint.
func drainOnce(ctx context.Context, p *server.Process, office server.Office, body string) (rate, cost float64, err error) {
	address := p.Address
	var made struct{ Endpoint struct{ ID string } }
	if err := office.Call(address, http.MethodPost, endpointsPath, body, &made); err != nil {
		return 0, 0, err
	}
	d := &target{address: address, id: made.Endpoint.ID, office: office}
	if err := d.activate(false); err != nil {
		return 0, 0, err
	}
	if err := d.write(clients, queue); err != nil {
		return 0, 0, err
	}
	before, err := p.Processor()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := d.activate(true); err != nil {
		return 0, 0, err
	}
	for waiting := -1; waiting != 0; time.Sleep(pollWaiting) {
		var got struct{ Waiting int }
		if err := office.Call(address, http.MethodGet, "/api/webhooks/metrics?bucket=minute&endpointId="+d.id, "", &got); err != nil {
			return 0, 0, err
		}
		waiting = got.Waiting
		if time.Since(began) > deliveryLimit || ctx.Err() != nil {
			return 0, 0, fmt.Errorf("%d deliveries wait after %s", waiting, deliveryLimit)
		}
	}
	rate = queue / time.Since(began).Seconds()
	after, err := p.Processor()
	if err != nil {
		return 0, 0, err
	}
	return rate, (after - before).Seconds() * 1e6 / queue, d.remove()
}
