package cdssim_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
)

const childFolder = "SIMULATOR_TEST_FOLDER"

// TestMain is, in a child of TestKill, a simulator that runs until it is killed.
func TestMain(m *testing.M) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	s, err := cdssim.New(cdssim.Options{
		Folder: folder, CallbackURL: os.Getenv("SIMULATOR_TEST_CALLBACK"), StaticToken: "Basic eA==", Seed: 1,
		Assess: fixedRate, Clock: simulator.OneClock(newClock().now), Now: newClock().now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(httptest.NewServer(s).URL)
	s.Run(context.Background())
}

// Killed by the system in the midst of its work, the simulator has lost nothing
// that it acknowledged: the one after it delivers the rest, each message at least
// once, in order.
func TestKill(t *testing.T) {
	t.Parallel()
	const before = 40
	inbound, err := cds.NewStaticToken("Basic eA==")
	if err != nil {
		t.Fatal(err)
	}
	r, folder := newReceiver(t, inbound), t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFolder+"="+folder, "SIMULATOR_TEST_CALLBACK="+r.url)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	taken := submitUntilDead(t, strings.TrimSpace(url), before, func() { _ = child.Process.Kill() })
	_ = child.Wait()
	again := open(t, newClock(), r, cdssim.Options{
		Folder: folder, CallbackURL: r.url, StaticToken: "Basic eA==", Seed: 1, Assess: fixedRate, Clock: simulator.OneClock(newClock().now), Now: newClock().now, Log: slog.New(slog.DiscardHandler),
	})
	planned := len(again.Transcript())
	if planned < 4*len(taken) || len(taken) < before {
		t.Fatalf("%d messages are planned for %d declarations", planned, len(taken))
	}
	received := r.wait(planned)
	for firstOf(received) < planned {
		received = r.wait(len(received) + 1)
	}
	for _, id := range taken {
		if got := codes(received, id); !inOrder(received, id) {
			t.Errorf("a conversation is %s", got)
		}
	}
	if repeated := len(received) - planned; repeated > planned/4 {
		t.Errorf("%d messages came again, more than one a conversation", repeated)
	}
}

// submitUntilDead submits without pause, kills after some, and gives the
// conversations that were acknowledged.
func submitUntilDead(t *testing.T, url string, before int, kill func()) (taken []string) {
	t.Helper()
	c := newClock()
	customs, err := cds.NewClient(client.Settings{BaseURL: url}, free{}, c.now)
	if err != nil {
		t.Fatal(err)
	}
	defer customs.Close()
	as := client.NewTokenEndpoint(client.OAuth{TokenURL: url + "/oauth/token", ClientID: "x", ClientSecret: "x"}, c.now).Application()
	for n := 0; ; n++ {
		accepted, ok := customs.Submit(t.Context(), as, encode(t, anImport(fmt.Sprintf("TWS%d", n)))).(cds.Accepted)
		if !ok {
			return taken
		}
		if taken = append(taken, accepted.ConversationID); n == before {
			go kill()
		}
	}
}

// firstOf counts messages, repetitions aside.
func firstOf(received []arrival) int {
	ids := map[string]bool{}
	for _, a := range received {
		ids[a.MessageID] = true
	}
	return len(ids)
}

// inOrder wants every message of a conversation in order, repetitions aside.
func inOrder(received []arrival, conversation string) bool {
	seen := map[string]bool{}
	var once []arrival
	for _, a := range received {
		if a.conversation == conversation && !seen[a.MessageID] {
			once = append(once, a)
			seen[a.MessageID] = true
		}
	}
	return codes(once, conversation) == "01 13/67 13/4 09"
}
