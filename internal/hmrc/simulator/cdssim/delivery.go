package cdssim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Limits of delivery.
const (
	maxSenders   = 64 // concurrent conversations; others wait
	sendDeadline = 10 * time.Second
	maxAnswer    = 64 << 10 // bytes of an answer that are read, so that the connection can be reused
	firstRetry   = 200 * time.Millisecond
	lastRetry    = 5 * time.Second
	contentType  = "application/xml; charset=UTF-8"
)

var errNoCallback = errors.New("no callback address is known yet")

// newClient makes a client for one callback, without a proxy, that follows no redirect.
func newClient() *http.Client {
	return &http.Client{
		Timeout:       sendDeadline,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: sendDeadline}).DialContext,
			MaxConnsPerHost:     maxSenders,
			MaxIdleConnsPerHost: maxSenders,
			IdleConnTimeout:     30 * time.Second,
		},
	}
}

// wake schedules a conversation for its next message, unless it is already scheduled or has none left.
func (s *Simulator) wake(c *conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.queued && !c.delivered() {
		s.schedule(c, c.Messages[c.Sent].Wait)
	}
}

// schedule never blocks: the channel has space for every conversation, and each is in it at most once.
func (s *Simulator) schedule(c *conversation, wait time.Duration) {
	c.queued = true
	if wait <= 0 {
		s.work <- c
		return
	}
	s.after(wait, func() { s.work <- c })
}

// send sends one message of a conversation after another. A waiting conversation does not occupy a sender.
func (s *Simulator) send(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case c := <-s.work:
			s.sendNext(context.WithoutCancel(ctx), c)
		}
	}
}

func (s *Simulator) sendNext(ctx context.Context, c *conversation) {
	next, left := s.startDelivery(c)
	if !left {
		return
	}
	if err := s.post(ctx, c.ID, next.Body); err != nil {
		s.retry(c, err)
		return
	}
	if err := s.journal.Commit(s.finishDelivery(c)); err != nil {
		s.options.Log.Error("a delivery is not recorded, and will be made again", "conversation", c.ID, "message", next.ID, "error", err)
	}
	s.continueDelivery(c)
}

func (s *Simulator) startDelivery(c *conversation) (outgoingMessage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.delivered() {
		c.queued = false
		return outgoingMessage{}, false
	}
	c.sending = true
	return c.Messages[c.Sent], true
}

// finishDelivery records that a message has been delivered.
func (s *Simulator) finishDelivery(c *conversation) *simulator.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.sending, c.failures = false, 0
	return s.record(record{Delivered: &progress{Conversation: c.ID, Sent: c.Sent + 1}})
}

// continueDelivery runs after the record is durable, so that after a crash at most one message of a conversation is
// sent twice.
func (s *Simulator) continueDelivery(c *conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.queued = !c.delivered(); c.queued {
		s.schedule(c, c.Messages[c.Sent].Wait)
	}
}

func (s *Simulator) retry(c *conversation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.sending = false
	c.failures++
	s.logFailure(c, err)
	s.schedule(c, retryAfter(c.failures))
}

// logFailure logs once per conversation, however long the callback fails.
func (s *Simulator) logFailure(c *conversation, err error) {
	log := s.options.Log.Debug
	if c.failures == 1 {
		log = s.options.Log.Warn
	}
	log("a notification was not delivered", "conversation", c.ID, "message", c.Messages[c.Sent].ID, "failures", c.failures, "error", err)
}

func retryAfter(failures int) time.Duration {
	const doublings = 5
	return min(firstRetry<<min(failures-1, doublings), lastRetry)
}

// post delivers one message. Any 2xx is a success; every other answer is a failure.
func (s *Simulator) post(ctx context.Context, conversationID, body string) error {
	url := *s.callback.Load()
	if url == "" {
		return errNoCallback
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", "application/xml")
	request.Header.Set("X-Conversation-ID", conversationID)
	if err := s.signRequest(request.Header, body); err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer))
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("the callback answered %s", response.Status)
	}
	return nil
}

// signRequest adds the configured proof that the call comes from CDS.
func (s *Simulator) signRequest(header http.Header, body string) error {
	if s.options.StaticToken != "" {
		header.Set("Authorization", s.options.StaticToken)
		return nil
	}
	return s.options.Signer.Sign(header, []byte(body))
}
