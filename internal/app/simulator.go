package app

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// simulatorClient is the OAuth client of this service at its built-in simulator.
const simulatorClient = "tidewaiter"

// embeddedSimulator is the simulator in this process, behind a real socket.
type embeddedSimulator struct {
	address string
	keys    cds.Keys
	stop    func()
}

// startSimulator starts the built-in simulator. After a crash it sends what it had scheduled.
func (a *App) startSimulator(ctx context.Context, c config.Config, own net.Addr) (*embeddedSimulator, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("app: simulator: %w", err)
	}
	charges := customs.ChargeSource(a.Tariff, a.Rates)
	s, keys, err := newSimulator(c, a.deps, cdssim.Options{
		CallbackURL: a.callbackURL(own), Assess: charges.Table, Measures: charges.Editions, Money: charges.Money, Goods: goodsOf(a.Tariff),
		Clock: a.organisationClock(ctx),
	})
	if err != nil {
		_ = listener.Close()
		return nil, err
	}
	return &embeddedSimulator{"http://" + listener.Addr().String(), keys, runSimulator(ctx, s, listener, a.deps.Log)}, nil
}

// freshness is the age up to which an imported tariff decides what exists.
const freshness = 31 * 24 * time.Hour

// goodsOf returns what the tariff in force knows about commodity codes. The built-in tariff and an old one are not complete.
func goodsOf(l *official.Library) check.Goods {
	return func(code, day string) check.Commodity {
		s := l.Current()
		c := check.Commodity{Unit: s.Tariff.Unit(code), Edition: fmt.Sprintf("the tariff of %s as at %s", s.Source, s.AsOf)}
		_, c.Listed = s.Tariff.FindOn(code, day)
		if i, found := s.Tree.Find(code); found && !c.Listed {
			c.Listed = s.Tree.At(i).InForce(day)
		}
		at, err := time.Parse(time.DateOnly, day)
		c.Complete = err == nil && l.Imported() != nil && s.AsOf <= day && s.AsOf >= at.Add(-freshness).Format(time.DateOnly)
		return c
	}
}

// organisationClock is the time of each organisation for simulators. It is real time if the store cannot be read.
func (a *App) organisationClock(ctx context.Context) simulator.Clock {
	return func(organisation string) time.Time {
		now, err := a.Store.TimeOf(ctx, tenant.ID(organisation))
		if err != nil {
			a.deps.Log.WarnContext(ctx, "cannot read the test clock of an organisation; its simulator uses real time", "organisation", organisation, "error", err)
			return a.deps.Now()
		}
		return now
	}
}

// ServeSimulator runs only the simulator, for a service elsewhere.
func ServeSimulator(ctx context.Context, c config.Config, d Deps, callback string, ready func(address string)) error {
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("app: simulator: %w", err)
	}
	d = d.orDefault()
	s, _, err := newSimulator(c, d, cdssim.Options{CallbackURL: callback, Assess: tariff.Embedded().Estimate, Goods: goodsOf(&official.Library{}), Clock: simulator.OneClock(d.Now)})
	if err != nil {
		_ = listener.Close()
		return err
	}
	stop := runSimulator(ctx, s, listener, d.Log)
	ready(listener.Addr().String())
	<-ctx.Done()
	stop()
	return nil
}

// newSimulator returns a simulator with callback, tariff and clock of the given options.
func newSimulator(c config.Config, d Deps, o cdssim.Options) (*cdssim.Simulator, cds.Keys, error) {
	folder := filepath.Join(c.Data, "simulator")
	seed, err := simulatorSeed(c, folder, d.Random)
	if err != nil {
		return nil, nil, err
	}
	o.Folder, o.ClientID, o.ClientSecret = folder, simulatorClient, simulatorClient
	o.Seed, o.Delay, o.Now, o.Log = seed, c.SimulatorDelay, d.Now, d.Log.With("part", "simulator")
	o.All = c.SimulatorStrict == "all"
	if c.Customs.Inbound == "static-token" {
		o.StaticToken = c.Customs.InboundToken
		s, err := cdssim.New(o)
		return s, nil, err
	}
	signer, err := newSigner(c, d.trueTime, d.Random)
	if err != nil {
		return nil, nil, err
	}
	o.Signer = signer
	jwks, err := signer.JWKS()
	if err != nil {
		return nil, nil, err
	}
	keys, err := cds.NewFixedKeys(jwks)
	if err != nil {
		return nil, nil, err
	}
	s, err := cdssim.New(o)
	return s, keys, err
}

// simulatorSeed returns the configured seed or that of the folder, so that no two simulators use the same conversation
// ids.
func simulatorSeed(c config.Config, folder string, random io.Reader) (uint64, error) {
	if c.SimulatorSeed != 0 {
		return c.SimulatorSeed, nil
	}
	path := filepath.Join(folder, "seed")
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if err == nil {
		return strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("app: simulator seed: %w", err)
	}
	var drawn [8]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return 0, fmt.Errorf("app: simulator seed: %w", err)
	}
	seed := binary.BigEndian.Uint64(drawn[:])
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return 0, fmt.Errorf("app: simulator seed: %w", err)
	}
	return seed, os.WriteFile(path, []byte(strconv.FormatUint(seed, 10)), 0o600)
}

// newSigner creates the key that the simulator signs with until this process ends.
func newSigner(c config.Config, now func() time.Time, random io.Reader) (*cds.Signer, error) {
	_, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, fmt.Errorf("app: simulator key: %w", err)
	}
	return cds.NewSigner(private, c.Customs.Issuer, c.Customs.Audience, now)
}

func runSimulator(ctx context.Context, s *cdssim.Simulator, listener net.Listener, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	server := &http.Server{Handler: s, ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	running.Go(func() { _ = server.Serve(listener) })
	return func() {
		cancel()
		_ = server.Close()
		running.Wait()
		if err := s.Close(); err != nil {
			log.Warn("cannot close the simulator's journal", "error", err)
		}
	}
}
