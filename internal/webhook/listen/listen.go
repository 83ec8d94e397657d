// Package listen brings the events of an organisation to a developer's machine: it reads the stream of a service and
// posts each event to a local address, signed like a webhook.
package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Limits of a listener.
const (
	silence     = 75 * time.Second // without a line, after which a connection counts as lost: two and a half heartbeats
	firstWait   = time.Second      // before the first new connection; each failure doubles it
	longestWait = 30 * time.Second
	answerLimit = 15 * time.Second // for the local answer, as for webhooks
	maxProblem  = 64 << 10         // bytes of an error answer that are read
)

// Listener forwards the events of an organisation.
type Listener struct {
	Service string    // address of the service, such as https://customs.example
	Key     string    // API key
	Cursor  string    // where to begin: latest, the id of an event, or empty for the oldest event
	Forward string    // address to post events to; empty for none
	Events  []string  // types and patterns of events; none for all
	Print   bool      // print the bodies
	Expect  *Expected // ends the listener when all have happened; nil for none
	Client  *http.Client
	Now     func() time.Time
	NewID   func() string
	Out     io.Writer

	lastID string // of the last event that was handled
}

// errFulfilled ends a listener after the last event that it expects.
var errFulfilled = errors.New("all expected events have happened")

// refusal is an answer after which another attempt is of no use.
type refusal struct{ error }

// Run prints the signing secret and forwards events until ctx ends. It connects again after a failure, and continues
// after the last event. The error is nil if all expected events have happened, or if ctx ended and none were expected.
func (l *Listener) Run(ctx context.Context) error {
	if l.Forward != "" {
		l.say("Forwarding to %s\nSigning secret %s", l.Forward, webhook.ListenSecret(l.Key))
	}
	for wait := firstWait; ; {
		connected, err := l.connect(ctx)
		if errors.Is(err, errFulfilled) {
			return nil
		}
		if ctx.Err() != nil {
			return l.unfulfilled()
		}
		var final refusal
		if errors.As(err, &final) {
			return final.error
		}
		if connected {
			wait = firstWait
		}
		var busy busyError
		pause := wait
		if errors.As(err, &busy) {
			pause = max(wait, busy.after)
		}
		l.say("%s. Connecting again in %s.", capital(err), pause)
		select {
		case <-ctx.Done():
			return l.unfulfilled()
		case <-time.After(pause):
		}
		wait = min(2*wait, longestWait)
	}
}

// unfulfilled returns an error if events are expected.
func (l *Listener) unfulfilled() error {
	if l.Expect == nil {
		return nil
	}
	return l.Expect.missing()
}

func (l *Listener) say(format string, args ...any) { _, _ = fmt.Fprintf(l.Out, format+"\n", args...) }

func capital(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// connect reads the stream until it ends, and reports whether it began.
func (l *Listener) connect(ctx context.Context) (connected bool, err error) {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	lost := time.AfterFunc(silence, hangUp)
	defer lost.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(l.Service, "/")+"/api/events/stream?resent=true", nil)
	if err != nil {
		return false, refusal{err}
	}
	request.Header.Set("Authorization", "Bearer "+l.Key)
	request.Header.Set("Accept", "text/event-stream")
	if l.lastID != "" {
		request.Header.Set("Last-Event-ID", l.lastID)
	} else if l.Cursor != "" {
		request.URL.RawQuery += "&cursor=" + url.QueryEscape(l.Cursor)
	}
	response, err := l.Client.Do(request)
	if err != nil {
		return false, fmt.Errorf("cannot connect: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return false, problemOf(response)
	}
	l.say("Listening to %s", l.Service)
	in := newReader(response.Body, func() { lost.Reset(silence) })
	for {
		e, err := in.next()
		if errors.Is(err, io.EOF) {
			err = errors.New("the service has ended the stream")
		}
		if err != nil {
			return true, err
		}
		lost.Stop()
		if err := l.handle(ctx, e); err != nil {
			return true, err
		}
		lost.Reset(silence)
	}
}

// busyError is an answer that asks for another attempt later.
type busyError struct {
	error
	after time.Duration
}

// problemOf returns the error of an answer.
func problemOf(response *http.Response) error {
	var problem struct{ Message string }
	text, err := io.ReadAll(io.LimitReader(response.Body, maxProblem))
	if err != nil {
		return err
	}
	if json.Unmarshal(text, &problem) != nil || problem.Message == "" {
		problem.Message = http.StatusText(response.StatusCode)
	}
	err = fmt.Errorf("the service answers %d: %s", response.StatusCode, strings.TrimSuffix(problem.Message, "."))
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= http.StatusInternalServerError {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return busyError{err, time.Duration(seconds) * time.Second}
	}
	return refusal{err}
}

// handle forwards and prints an event. An error ends the listener.
func (l *Listener) handle(ctx context.Context, e event) error {
	defer func() { l.lastID = e.id }()
	if e.data == "" {
		return nil
	}
	var body struct{ ID, Type string }
	if err := json.Unmarshal([]byte(e.data), &body); err != nil || !webhook.Subscribes(l.Events, body.Type) {
		return nil
	}
	n := webhook.Notice{ID: body.ID, Type: body.Type, Body: e.data}
	line := l.Now().Format(time.TimeOnly) + "  " + n.Type + "  " + n.ID
	if e.name != "" {
		line += "  " + e.name
	}
	accepted := true
	if l.Forward != "" {
		var outcome string
		outcome, accepted = l.post(ctx, n)
		line += "  " + outcome
	}
	l.say("%s", line)
	if l.Print {
		l.say("%s", e.data)
	}
	if l.Expect == nil || !l.Expect.next(e.data) {
		return nil
	}
	if !accepted {
		return refusal{fmt.Errorf("the receiver has not accepted %s, which is expected", n.ID)}
	}
	if l.Expect.take() {
		return errFulfilled
	}
	return nil
}

// post forwards an event, and returns what became of it and whether the receiver has accepted it. An event is not sent twice.
func (l *Listener) post(ctx context.Context, n webhook.Notice) (outcome string, accepted bool) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Forward, strings.NewReader(n.Body))
	if err != nil {
		return "not sent: " + err.Error(), false
	}
	began := l.Now()
	request.Header = webhook.HeadersFor(n, l.NewID(), webhook.ListenSecret(l.Key), began)
	response, err := l.Client.Do(request)
	if err != nil {
		return "no answer: " + err.Error(), false
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxProblem)) // so that the connection can be used again
	_ = response.Body.Close()
	accepted = response.StatusCode >= 200 && response.StatusCode < 300
	return fmt.Sprintf("%d in %d ms", response.StatusCode, l.Now().Sub(began).Milliseconds()), accepted
}
