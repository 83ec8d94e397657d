package app

import (
	"context"
	"math/rand/v2"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Instances that share a database share HMRC's rate limit. A caller that has given up uses none of it.
func TestInstancesTakeTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		const gap = time.Hour
		instances, apps := []client.Limiter{}, []*App{}
		for range 2 {
			a := &App{Store: b.Open(t), Config: config.Config{Customs: config.Customs{Mode: "hmrc", Rate: float64(time.Second) / float64(gap)}}}
			instances, apps = append(instances, a.customsLimiter()), append(apps, a)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := instances[1].Wait(ended); err == nil {
			t.Error("a cancelled caller was allowed")
		}
		if err := instances[0].Wait(t.Context()); err != nil {
			t.Error(err)
		}
		for n, a := range apps {
			if wait, err := a.Store.ReserveSlot(t.Context(), "customs", gap); err != nil || wait < gap/2 || wait > gap+time.Second {
				t.Errorf("instance %d waits %s, %v", n, wait, err)
			}
		}
	})
}

// A data folder keeps the seed of its simulator, and two folders have different seeds.
func TestSimulatorSeed(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	seed := func(folder string, set uint64) uint64 {
		t.Helper()
		n, err := simulatorSeed(config.Config{SimulatorSeed: set}, folder, random)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, two := filepath.Join(t.TempDir(), "simulator"), filepath.Join(t.TempDir(), "simulator")
	first := seed(one, 0)
	if first != seed(one, 0) || first == seed(two, 0) || seed(one, 7) != 7 {
		t.Error("the seeds do not belong to their folders")
	}
}

// A listener on all addresses is reached at the loopback address.
func TestLoopback(t *testing.T) {
	for listening, want := range map[string]string{"0.0.0.0:80": "127.0.0.1:80", "[::]:80": "127.0.0.1:80", "127.0.0.1:80": "127.0.0.1:80", "[::1]:80": "[::1]:80"} {
		address, err := net.ResolveTCPAddr("tcp", listening)
		if err != nil {
			t.Fatal(err)
		}
		if got := loopback(address); got != want {
			t.Errorf("%s is reached by %s, not %s", listening, got, want)
		}
	}
}

// Users on this machine reach a listener at localhost, where browsers allow passkeys.
func TestLocalhost(t *testing.T) {
	for listening, want := range map[string]string{
		"0.0.0.0:80": "localhost:80", ":80": "localhost:80", "[::]:80": "localhost:80", "127.0.0.1:80": "localhost:80", "[::1]:80": "localhost:80",
		"192.0.2.1:80": "192.0.2.1:80", "example.com:80": "example.com:80",
	} {
		if got := localhost(listening); got != want {
			t.Errorf("%s is reached by %s, not %s", listening, got, want)
		}
	}
}
