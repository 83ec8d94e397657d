package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// phase is what a caller is about.
type phase int

const (
	creating phase = iota
	submitting
	notified // customs has it and its messages are coming
	phases
)

func (p phase) String() string { return [phases]string{"create", "submit", "notify"}[p] }

// Limits of the load.
const (
	insistLimit = 90 * time.Second      // until a call that fails again and again is given up
	retryPause  = 20 * time.Millisecond // between two tries
)

// filed is one declaration as its caller knows it.
type filed struct {
	mark           string
	id             string
	conversationID string // empty for a draft
}

// load is callers who create declarations and submit them, and insist until each
// call has been answered.
type load struct {
	client   *client
	shipment string
	pause    time.Duration // of a caller between two declarations
	moments  [phases]chan struct{}

	mu       sync.Mutex
	filed    []filed
	answers  map[string]int // what was answered besides 200 and 201, and how often
	problems []string       // answers that no caller should get
	cut      [phases]int    // calls that were cut off
	slowest  time.Duration  // answer
}

// calm is the pause of a caller, four times as long in the short run: what it shows does not depend on how many
// declarations there are, and every one of them takes processor time from the other tests.
func calm(pause time.Duration) time.Duration {
	if long() {
		return pause
	}
	return 4 * pause
}

func newLoad(c *client, shipment string, pause time.Duration) *load {
	l := &load{client: c, shipment: shipment, pause: pause, answers: map[string]int{}}
	for p := range l.moments {
		l.moments[p] = make(chan struct{})
	}
	return l
}

// run lets callers work until finish is called, which waits until each has finished what
// it was at.
func (l *load) run(ctx context.Context, callers int) (finish func()) {
	var all sync.WaitGroup
	stop := make(chan struct{})
	for caller := range callers {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(l.pause):
				}
				if !l.file(ctx, fmt.Sprintf("Shirts of caller %d, lot %d", caller, n), n) {
					return
				}
			}
		})
	}
	return func() {
		close(stop)
		all.Wait()
	}
}

// file creates one declaration and submits it; each tenth stays a draft. Every
// second submission carries an Idempotency-Key.
func (l *load) file(ctx context.Context, mark string, n int) bool {
	var made struct{ ID string }
	if !l.insist(ctx, creating, "/api/declarations", "create "+mark, input(l.shipment, mark), &made) {
		return false
	}
	f := filed{mark: mark, id: made.ID}
	if n%10 != 9 {
		once := ""
		if n%2 == 0 {
			once = "submit " + mark
		}
		var done struct{ ConversationID string }
		if !l.insist(ctx, submitting, "/api/cds/submit", once, map[string]any{"declarationId": f.id}, &done) {
			return false
		}
		f.conversationID = done.ConversationID
		l.pass(notified)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filed = append(l.filed, f)
	return true
}

// insist repeats a call until it is answered. A caller may be cut off, or told that
// the service or customs cannot be reached just now, and nothing else.
func (l *load) insist(ctx context.Context, p phase, path, once string, in, out any) bool {
	l.pass(p)
	for give := time.Now().Add(insistLimit); time.Now().Before(give); time.Sleep(retryPause) {
		began := time.Now()
		a, err := l.client.do(ctx, http.MethodPost, path, once, in)
		l.note(func() { l.slowest = max(l.slowest, time.Since(began)) })
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			l.note(func() { l.cut[p]++ })
		case a.ok():
			if err := json.Unmarshal(a.body, out); err != nil {
				l.note(func() { l.problems = append(l.problems, fmt.Sprintf("%s: %v in %s", path, err, a.body)) })
				return false
			}
			return true
		default:
			l.note(func() { l.answers[fmt.Sprintf("%s %d %s", p, a.status, a.code())]++ })
			if !temporary(a) {
				l.note(func() { l.problems = append(l.problems, fmt.Sprintf("%s: %d %s", path, a.status, a.body)) })
			}
			if a.status < http.StatusInternalServerError {
				return false
			}
		}
	}
	l.note(func() {
		l.problems = append(l.problems, fmt.Sprintf("%s %s: not answered within %s", path, once, insistLimit))
	})
	return false
}

// temporary tells whether an answer asks to try again, and of the service itself, when.
func temporary(a answer) bool {
	switch a.code() {
	case "store_unavailable", "shutting_down":
		return a.retry != ""
	case "customs_unreachable":
		return true
	}
	return false
}

// blames checks that callers were told of no other trouble than this.
func (l *load) blames(t *testing.T, code string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for said, n := range l.answers {
		if !strings.HasSuffix(said, " "+code) {
			t.Errorf("%d callers were answered %q", n, said)
		}
	}
}

func (l *load) note(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// pass tells whoever waits for a phase that a caller enters it now.
func (l *load) pass(p phase) {
	select {
	case l.moments[p] <- struct{}{}:
	default:
	}
}

// acknowledged is all that callers were told so far.
func (l *load) acknowledged() []filed {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]filed(nil), l.filed...)
}

// report fails the test for every answer that no caller should get, and logs the others.
func (l *load) report(t *testing.T) {
	t.Helper()
	for n, p := range l.problems {
		if n == 10 {
			t.Errorf("and %d more", len(l.problems)-n)
			break
		}
		t.Error(p)
	}
	submits := 0
	for _, f := range l.filed {
		if f.conversationID != "" {
			submits++
		}
	}
	t.Logf("%d creates and %d submits acknowledged; calls cut off: %d create, %d submit; other answers: %v",
		len(l.filed), submits, l.cut[creating], l.cut[submitting], l.answers)
}
