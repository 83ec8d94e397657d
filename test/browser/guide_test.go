package browser

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// guide is the path of the guide.
const guide = "../../docs/guide.md"

// guideStart is the start time of the guide's service: its screenshots show the same days, and nearly the same ids,
// in every run.
var guideStart = time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)

// The size of the screenshots.
const (
	width  = 1120
	height = 760
)

// The way described by docs/guide.md works step by step, and the guide shows exactly its screenshots.
func TestGuide(t *testing.T) {
	if !long() && os.Getenv(guideFolder) == "" {
		t.Skip("walks through the guide again: make test-long, or make guide for its pictures")
	}
	t.Parallel()
	empty, full := startInProcess(t, false), startInProcess(t, true)
	first := openWindow(t, empty, width, height)
	first.beginning(empty)
	first.declaring()
	w := openWindow(t, full, width, height)
	w.pictures = first.pictures
	w.signIn(full.email, full.password)
	w.correcting()
	w.filing()
	w.overseeing()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, found := range regexp.MustCompile(`!\[[^\]]+\]\(guide/([a-z-]+)\.png\)`).FindAllStringSubmatch(string(text), -1) {
		shown = append(shown, found[1])
		if _, err := os.Stat(filepath.Join(filepath.Dir(guide), "guide", found[1]+".png")); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(shown, w.pictures) {
		t.Errorf("the guide shows %v, the walk took %v", shown, w.pictures)
	}
}

// startInProcess runs the service in this process, at the guide's time, with or without a demo.
func startInProcess(t *testing.T, withDemo bool) *server {
	t.Helper()
	began := time.Now()
	c := config.Config{
		Addr: "127.0.0.1:0", PublicURL: "http://127.0.0.1:8080", Data: t.TempDir(), SimulatorDelay: 300 * time.Millisecond, SimulatorSeed: 1,
		Customs: config.Customs{Mode: "simulator", Inbound: "signed", Issuer: "i", Audience: "a", Version: "1.0"},
	}
	a, err := app.Open(t.Context(), c, app.Deps{Now: func() time.Time { return guideStart.Add(time.Since(began)) }, Random: rand.NewChaCha8([32]byte{7})})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p, ready, ended := &server{}, make(chan error, 1), make(chan error, 1)
	go func() {
		ended <- a.Serve(ctx, func(address string) {
			p.base = "http://" + address
			var err error
			p.setUp, err = a.SetUpLink(ctx)
			p.setUp = strings.TrimPrefix(p.setUp, c.PublicURL)
			if err == nil && withDemo {
				err = a.Demo(ctx, func(d demo.Demo) { p.email, p.password, p.key = d.Email, d.Password, d.Key })
			}
			ready <- err
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		a.Close()
	})
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	return p
}
