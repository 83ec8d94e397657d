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

// phase is the current step of a caller.
type phase int

const (
	creating phase = iota
	submitting
	notified // CDS has accepted it and its messages are on their way
	phases
)

func (p phase) String() string { return [phases]string{"create", "submit", "notify"}[p] }

// Limits of the load.
const (
	retryLimit = 90 * time.Second      // until a call that fails repeatedly is given up
	retryPause = 20 * time.Millisecond // between two attempts
)

// filed is one declaration as its caller knows it.
type filed struct {
	mark           string
	id             string
	conversationID string // empty for a draft
}

// load is a set of callers that create and submit declarations, and retry until each call was answered.
type load struct {
	client       *client
	shipment     string
	pause        time.Duration // of a caller between two declarations
	phaseEntered [phases]chan struct{}

	mu       sync.Mutex
	filed    []filed
	answers  map[string]int // other statuses than 200 and 201, with their counts
	problems []string       // answers that no caller may get
	cut      [phases]int    // calls that were cut off
	slowest  time.Duration  // answer
}

// callerPause is the pause of a caller, four times as long in the short run: the result does not depend on the number
// of declarations, and each one takes processor time from other tests.
func callerPause(pause time.Duration) time.Duration {
	if long() {
		return pause
	}
	return 4 * pause
}

func newLoad(c *client, shipment string, pause time.Duration) *load {
	l := &load{client: c, shipment: shipment, pause: pause, answers: map[string]int{}}
	for p := range l.phaseEntered {
		l.phaseEntered[p] = make(chan struct{})
	}
	return l
}

// run starts callers that work until finish is called, which waits until each has completed its current
// declaration.
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

// file creates one declaration and submits it; each tenth stays a draft. Every second submission carries an
// Idempotency-Key.
func (l *load) file(ctx context.Context, mark string, n int) bool {
	var made struct{ ID string }
	if !l.retry(ctx, creating, "/api/declarations", "create "+mark, input(l.shipment, mark), &made) {
		return false
	}
	f := filed{mark: mark, id: made.ID}
	if n%10 != 9 {
		once := ""
		if n%2 == 0 {
			once = "submit " + mark
		}
		var done struct{ ConversationID string }
		if !l.retry(ctx, submitting, "/api/cds/submit", once, map[string]any{"declarationId": f.id}, &done) {
			return false
		}
		f.conversationID = done.ConversationID
		l.enterPhase(notified)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.filed = append(l.filed, f)
	return true
}

// retry repeats a call until it is answered. The only permitted failures are a broken connection and answers that
// the service or CDS is temporarily unavailable.
func (l *load) retry(ctx context.Context, p phase, path, once string, in, out any) bool {
	l.enterPhase(p)
	for give := time.Now().Add(retryLimit); time.Now().Before(give); time.Sleep(retryPause) {
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
		l.problems = append(l.problems, fmt.Sprintf("%s %s: not answered within %s", path, once, retryLimit))
	})
	return false
}

// temporary reports whether an answer asks to retry; if the service itself is unavailable, it must say when.
func temporary(a answer) bool {
	switch a.code() {
	case "store_unavailable", "shutting_down":
		return a.retry != ""
	case "customs_unreachable", "hmrc_unreachable":
		return true
	}
	return false
}

// blames checks that callers got no other error code than this.
func (l *load) onlyError(t *testing.T, code string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for output, n := range l.answers {
		if !strings.HasSuffix(output, " "+code) {
			t.Errorf("%d callers got %q", n, output)
		}
	}
}

func (l *load) note(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// enterPhase notifies waiters for a phase that a caller enters it now.
func (l *load) enterPhase(p phase) {
	select {
	case l.phaseEntered[p] <- struct{}{}:
	default:
	}
}

// acknowledged is everything acknowledged so far.
func (l *load) acknowledged() []filed {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]filed(nil), l.filed...)
}

// report fails the test for every answer that no caller may get, and logs the others.
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
