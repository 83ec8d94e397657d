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

// unconfirmed is the most messages under way to an endpoint, which RabbitMQ and Kafka get without the service too.
const unconfirmed = 64

// opponent is a receiver of a queue.
type opponent struct {
	kind, body string                  // body creates its endpoint
	alone      func() (float64, error) // messages per second that it takes without the service; nil if that is not measured
	rates      []float64               // deliveries per second
	costs      []float64               // microseconds of the service's processor time for one
	limits     []float64               // of alone
}

// startBroker returns a new broker; none, with the reason, if it is not installed.
func startBroker(b *bench, kind string) (o *opponent, why string, stop func(), err error) {
	a := &asTest{folder: filepath.Join(b.folder, "broker-"+strings.ReplaceAll(kind, " ", "-"))}
	if err := os.MkdirAll(a.folder, 0o700); err != nil {
		return nil, "", a.close, err
	}
	defer func() {
		if reason, ended := recover().(left); ended {
			if why = reason.why; !reason.skipped {
				err = fmt.Errorf("%s: %s", kind, reason.why)
			}
		}
	}()
	protocol, _, inMemory := strings.Cut(kind, ", ")
	started := broker.Start(a, protocol)
	in := started.Input()
	if inMemory {
		in = started.TransientInput()
	}
	text, err := json.Marshal(in)
	o = &opponent{kind: kind, body: string(text)}
	if protocol != "nats" {
		o.alone = func() (float64, error) { return started.PublishAlone(in, queue, unconfirmed) }
	}
	return o, "", a.close, err
}

// measureDestinations drains the same queue to a receiver over HTTPS and to brokers.
func measureDestinations(ctx context.Context, b *bench) (s section, err error) {
	s = section{
		text: fmt.Sprintf("A queue of %s events on SQLite, from the moment when its endpoint is resumed until nothing waits: to a receiver over HTTPS that answers at once, and to brokers on this machine without TLS, all of which but the queue in memory store messages on disk. The last column is what RabbitMQ and the test broker of franz-go confirm to a program that does nothing but publish, with as many messages unconfirmed as the service has under way, %d. Median of %d rounds, in turns.",
			grouped(queue), unconfirmed, b.rounds),
		head: []string{"", "deliveries/s", "to HTTPS", "processor of the service, µs a delivery", "the broker alone, messages/s"},
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
	https := &opponent{kind: "https", body: `{"url":"` + receiver.URL + `"}`}
	all := []*opponent{https}
	for _, kind := range brokerKinds {
		o, why, stop, err := startBroker(b, kind)
		defer stop()
		if err != nil {
			return s, err
		}
		if why != "" {
			s.notes = append(s.notes, "Not measured: "+kind+": "+why)
			continue
		}
		all = append(all, o)
	}
	if err := b.drainEach(ctx, all, allowLoopback, "SSL_CERT_FILE="+authority); err != nil {
		return s, err
	}
	for _, o := range all {
		share, alone := load.Median(o.rates)/load.Median(https.rates), ""
		if o.alone != nil {
			alone = grouped(int(load.Median(o.limits)))
		}
		s.rows = append(s.rows, []string{o.kind, grouped(int(load.Median(o.rates))), short(share), short(load.Median(o.costs)), alone})
		if o != https {
			s.verdicts = append(s.verdicts, atLeast("deliveries to "+o.kind+", to HTTPS", share, minShare))
		}
	}
	return s, nil
}

// drainEach measures the deliveries per second to each receiver, in turns.
func (b *bench) drainEach(ctx context.Context, all []*opponent, settings ...string) error {
	data := filepath.Join(b.folder, "destinations")
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return err
	}
	p, err := server.Start(ctx, b.serve("destinations"), data, settings...)
	if err != nil {
		return err
	}
	defer p.Stop()
	for range b.rounds {
		for _, o := range all {
			rate, cost, err := drainOnce(ctx, p, office, o.body)
			if err != nil {
				return fmt.Errorf("%s: %w", o.kind, err)
			}
			o.rates, o.costs = append(o.rates, rate), append(o.costs, cost)
			if o.alone == nil {
				continue
			}
			limit, err := o.alone()
			if err != nil {
				return fmt.Errorf("%s alone: %w", o.kind, err)
			}
			o.limits = append(o.limits, limit)
		}
	}
	return nil
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
