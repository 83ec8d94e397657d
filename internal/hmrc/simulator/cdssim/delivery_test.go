package cdssim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// waitRefused returns after the callback has rejected n calls.
func (r *receiver) waitRefused(n int) {
	r.t.Helper()
	late := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for int(r.refused.Load()) < n {
		select {
		case <-tick.C:
		case <-late:
			r.t.Fatalf("%d calls instead of %d", r.refused.Load(), n)
		}
	}
}

// While the callback fails nothing is lost, and when it is back everything comes
// once and in order.
func TestCallbackDownThenUp(t *testing.T) {
	t.Parallel()
	for _, status := range []int{500, 503, 401, 302} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			b := start(t, nil)
			b.receiver.down.Store(int32(status))
			first, second := b.submit(anImport("TWS1")), b.submitPlain(ofType(anImport("TWS2"), "IMD"))
			b.receiver.waitRefused(3)
			b.receiver.down.Store(0)
			received := b.receiver.wait(9)
			if codes(received, first) != "01 13/67 13/4 09" || codes(received, second) != "02 01 13/67 13/4 09" {
				t.Errorf("the messages are %s and %s", codes(received, first), codes(received, second))
			}
		})
	}
}

// A letter that cannot be delivered holds up its own conversation and no other.
func TestFailureBlocksOneConversation(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	b.receiver.down.Store(503)
	stuck := b.submit(anImport("TWS1"))
	b.receiver.stuck.Store(stuck)
	b.receiver.down.Store(0)
	other := b.submit(anImport("TWS2"))
	received := b.receiver.wait(4)
	if codes(received, other) != "01 13/67 13/4 09" {
		t.Fatalf("stuck %s, other %s", codes(received, stuck), codes(received, other))
	}
	b.receiver.stuck.Store("")
	if got := codes(b.receiver.wait(8), stuck); got != "01 13/67 13/4 09" {
		t.Fatalf("then %s", got)
	}
}

// What cannot be recorded is not taken.
func TestJournalFails(t *testing.T) {
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	b.submit(withDocument(anImport("TWSP0"), "SIM-P0"))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	response, body := b.call(submitPath, encode(t, anImport("TWS1")), nil)
	if response.StatusCode != 500 || !strings.Contains(body, "<code>INTERNAL_SERVER_ERROR</code>") {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
}

// When there is no more room, what is over makes way, the oldest first; when
// nothing is over, or too much waits for a callback, customs is closed.
func TestRoom(t *testing.T) {
	t.Parallel()
	const closed = "hmrc: unreachable"
	b := start(t, nil)
	b.Shrink(2, 1<<20)
	first := b.submit(anImport("TWS1"))
	b.receiver.wait(4)
	b.submit(withDocument(anImport("TWSP0"), "SIM-P0"))
	b.submitWhenRoom(withDocument(anImport("TWSP1"), "SIM-P1"))
	for _, e := range b.Transcript() {
		if e.ConversationID == first {
			t.Error("what is over is still there")
		}
	}
	outcome := b.client.Submit(t.Context(), b.as, encode(t, withDocument(anImport("TWSP2"), "SIM-P2")))
	if err, ok := outcome.(error); !ok || !strings.HasPrefix(err.Error(), closed) {
		t.Fatalf("the outcome is %v", outcome)
	}
	b = start(t, nil)
	b.Shrink(10, 1<<10)
	b.receiver.down.Store(503)
	b.submit(anImport("TWS1"))
	outcome = b.client.Submit(t.Context(), b.as, encode(t, anImport("TWS2")))
	if err, ok := outcome.(error); !ok || !strings.HasPrefix(err.Error(), closed) {
		t.Fatalf("with a backlog the outcome is %v", outcome)
	}
	b.receiver.down.Store(0)
	b.receiver.wait(4)
	b.submitWhenRoom(anImport("TWS3"))
}

// submitWhenRoom tries until the simulator has noted the deliveries that make room.
func (b *bench) submitWhenRoom(d wco.Declaration) {
	b.t.Helper()
	document := encode(b.t, d)
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if _, ok := b.client.Submit(b.t.Context(), b.as, document).(cds.Accepted); ok {
			return
		}
	}
	b.t.Fatal("there is never any room")
}

// Without a callback address messages wait for one.
func TestCallbackKnownLater(t *testing.T) {
	t.Parallel()
	b := start(t, func(o *cdssim.Options) { o.CallbackURL = "" })
	id := b.submit(anImport("TWS1"))
	b.SetCallback(b.receiver.url)
	if got := codes(b.receiver.wait(4), id); got != "01 13/67 13/4 09" {
		t.Fatalf("the messages are %s", got)
	}
}

// The delay is between messages, both in the deliveries and in their times of issue.
func TestDelay(t *testing.T) {
	t.Parallel()
	const delay = time.Hour
	b := start(t, func(o *cdssim.Options) { o.Delay = delay })
	waits := make(chan time.Duration, 10)
	b.SkipWaits(func(wait time.Duration) { waits <- wait })
	b.submit(anImport("TWS1"))
	messages := b.receiver.wait(4)
	if len(waits) != 4 {
		t.Fatalf("%d waits before four messages", len(waits))
	}
	for i, message := range messages {
		wait, issued := <-waits, message.IssuedAt.Time.Sub(b.clock.now())
		if wait != delay || issued != time.Duration(i+1)*delay {
			t.Errorf("message %d waits %v, and is issued after %v", i+1, wait, issued)
		}
	}
}

// With a static token notifications carry it as it is, and no signature.
func TestStaticToken(t *testing.T) {
	inbound, err := cds.NewStaticToken("Basic c2VjcmV0")
	if err != nil {
		t.Fatal(err)
	}
	r := newReceiver(t, inbound)
	b := start(t, func(o *cdssim.Options) { o.CallbackURL, o.Signer, o.StaticToken = r.url, nil, "Basic c2VjcmV0" })
	b.submit(anImport("TWS1"))
	if received := r.wait(4); received[0].header.Get("X-Jws-Signature") != "" {
		t.Error("a static token comes with a signature")
	}
}

// Bad manners: everything twice, nothing at all, or in another order.
func TestBadManners(t *testing.T) {
	t.Parallel()
	b := start(t, func(o *cdssim.Options) { o.Repeat = 100 })
	b.submit(anImport("TWS1"))
	if got := codes(b.receiver.wait(8), ""); got != "01 01 13/67 13/67 13/4 13/4 09 09" {
		t.Errorf("repeated: %s", got)
	}
	if received := b.receiver.wait(8); string(received[0].body) != string(received[1].body) {
		t.Error("a repetition is not the same message")
	}
	b = start(t, func(o *cdssim.Options) { o.Drop = 100 })
	b.submit(anImport("TWS1"))
	if n := len(b.Transcript()); n != 0 {
		t.Errorf("%d messages are not dropped", n)
	}
	orders := map[string]bool{}
	for seed := range uint64(8) {
		b = start(t, func(o *cdssim.Options) { o.Reorder, o.Seed, o.LateBy = true, seed, time.Millisecond })
		b.submit(anImport("TWS1"))
		orders[codes(b.receiver.wait(4), "")] = true
	}
	if len(orders) < 3 {
		t.Errorf("the orders are %v", orders)
	}
}

// Killed without warning, the simulator goes on where it stopped: nothing that was
// taken is forgotten, nothing delivered comes again, and no id is given twice.
func TestRestart(t *testing.T) {
	folder := t.TempDir()
	b := start(t, func(o *cdssim.Options) { o.Folder = folder })
	done := b.submit(anImport("TWS1"))
	b.receiver.wait(4)
	b.receiver.down.Store(503)
	open1, open2 := b.submit(anImport("TWS2")), b.submit(withDocument(anImport("TWS3"), "SIM-G0S"))
	b.receiver.waitRefused(2)
	before := b.Transcript()
	b.stop()
	b.receiver.down.Store(0)

	again := open(t, b.clock, b.receiver, b.options)
	received := again.receiver.wait(9)
	if codes(received, done) != "01 13/67 13/4 09" || codes(received, open1) != "01 13/67 13/4 09" || codes(received, open2) != "01" {
		t.Fatalf("%s; %s; %s", codes(received, done), codes(received, open1), codes(received, open2))
	}
	if !equal(before, again.Transcript()) {
		t.Errorf("the transcript has changed:\n%v\n%v", before, again.Transcript())
	}
	reused := again.submit(anImport("TWS1"))
	for _, e := range before {
		if e.ConversationID == reused {
			t.Error("a conversation id comes again")
		}
	}
	if received := again.receiver.wait(10); errorCodes(received[9]) != "CDS12003 42A.D026" {
		t.Errorf("the LRN is forgotten: %s", codes(received, reused))
	}
	request := again.cancel(received[8].MRN)
	if got := codes(again.receiver.wait(11), request); got != "11/39" && !strings.Contains(codes(again.receiver.wait(12), request), "11/39") {
		t.Errorf("the request gets %s", got)
	}
}

// A cancellation is remembered with what it did to the declaration.
func TestRestartAfterCancellation(t *testing.T) {
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	original := b.submit(withDocument(anImport("TWS1"), "SIM-G0S"))
	mrn := b.receiver.wait(1)[0].MRN
	b.receiver.down.Store(503)
	request := b.cancel(mrn)
	b.receiver.waitRefused(2)
	b.stop()
	b.receiver.down.Store(0)
	again := open(t, b.clock, b.receiver, b.options)
	received := again.receiver.wait(3)
	if codes(received, original) != "01 10" || codes(received, request) != "11/39" {
		t.Fatalf("declaration %s, request %s", codes(received, original), codes(received, request))
	}
	if second := again.cancel(mrn); errorCodes(again.receiver.wait(4)[3]) != "CDS12015 42A.D014" {
		t.Errorf("cancelled twice: %s", second)
	}
}

// A torn last line is what a death leaves behind; one in the middle is damage.
func TestTornJournal(t *testing.T) {
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	b.submit(anImport("TWS1"))
	b.receiver.wait(4)
	b.stop()
	path := filepath.Join(b.options.Folder, "simulator.jsonl")
	journal, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const torn = `{"opened":{"number":2,"id":"`
	if err := os.WriteFile(path, append(journal, torn...), 0o600); err != nil {
		t.Fatal(err)
	}
	again := open(t, b.clock, b.receiver, b.options)
	if n := len(again.Transcript()); n != 4 {
		t.Fatalf("%d messages are remembered", n)
	}
	again.submit(anImport("TWS2"))
	again.receiver.wait(8)
	again.stop()
	if err := os.WriteFile(path, append([]byte(torn+"\n"), journal...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := cdssim.New(b.options); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Fatalf("a damaged journal gives %v", err)
	}
}

// What is over is forgotten at the start after 48 hours; what may still be
// cancelled is not.
func TestCompaction(t *testing.T) {
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	b.submit(anImport("TWS1"))
	accepted := b.submit(withDocument(anImport("TWS2"), "SIM-G0S"))
	b.receiver.wait(5)
	b.stop()
	b.clock.advance(48 * time.Hour)
	again := open(t, b.clock, b.receiver, b.options)
	left := again.Transcript()
	if len(left) != 1 || left[0].ConversationID != accepted {
		t.Fatalf("remembered: %v", left)
	}
	id := again.submit(anImport("TWS3"))
	received := again.receiver.wait(9)
	for _, a := range received[:5] {
		if a.conversation == id || a.MRN == received[8].MRN {
			t.Error("an id comes again")
		}
	}
}

// Many conversations at once are delivered each in its own order.
func TestManyConversations(t *testing.T) {
	t.Parallel()
	const many = 200
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	if _, err := b.as.Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := make(chan string, many)
	slots := make(chan struct{}, 16)
	for n := range many {
		document := encode(t, anImport(fmt.Sprintf("TWS%d", n)))
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			taken, _ := b.client.Submit(t.Context(), b.as, document).(cds.Accepted)
			ids <- taken.ConversationID
		}()
	}
	received := b.receiver.wait(4 * many)
	for range many {
		if got := codes(received, <-ids); got != "01 13/67 13/4 09" {
			t.Fatalf("a conversation is %s", got)
		}
	}
}

// What cannot work is refused at once.
func TestOptions(t *testing.T) {
	good := start(t, nil).options
	for name, change := range map[string]func(*cdssim.Options){
		"no proof":       func(o *cdssim.Options) { o.Signer = nil },
		"no tariff":      func(o *cdssim.Options) { o.Assess = nil },
		"no clock":       func(o *cdssim.Options) { o.Now = nil },
		"no log":         func(o *cdssim.Options) { o.Log = nil },
		"delay":          func(o *cdssim.Options) { o.Delay = -1 },
		"percentage":     func(o *cdssim.Options) { o.Drop = 101 },
		"another below":  func(o *cdssim.Options) { o.Repeat = -1 },
		"file as folder": func(o *cdssim.Options) { o.Folder = "delivery_test.go" },
	} {
		o := good
		change(&o)
		if _, err := cdssim.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
