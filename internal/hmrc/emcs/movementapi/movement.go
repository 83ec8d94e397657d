package movementapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of lists, and of an identifier of a message.
const (
	maxMovements  = 10_000
	maxMessages   = 10_000
	maxIdentifier = 44
)

// Movement is a movement as HMRC lists it. Its state follows from its messages.
type Movement struct {
	ID          string    `json:"movementId"`
	LRN         string    `json:"localReferenceNumber"`
	ARC         string    `json:"administrativeReferenceCode"` // empty before acceptance
	Consignor   string    `json:"consignorId"`
	Consignee   string    `json:"consigneeId"` // often empty
	LastUpdated time.Time `json:"lastUpdated"` // zero in the answer to a message
}

// Submitted is the outcome of a message that HMRC took. Whether it accepts it is said by an IE801 or IE704 later.
type Submitted struct {
	client.Accepted
	Movement Movement
}

// Message is a message of a movement.
type Message struct {
	ID        string
	Kind      emcs.Kind
	Recipient string // excise number
	CreatedOn time.Time
	Document  []byte // XML
	Err       error  // why the document cannot be read; then Document is the text that HMRC sent
}

var (
	movementID = lazyregexp.New(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)
	ernForm    = lazyregexp.New(`^[A-Z]{2}[a-zA-Z0-9]{11}$`)
)

// badRequest is the refusal of an identifier that must not become part of an address. Nothing is sent.
func badRequest(message string) client.Refused {
	return client.Refused{Status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: message}
}

// Draft sends an IE815. The box is where HMRC puts push notifications; empty for the application's own.
func (c *Client) Draft(ctx context.Context, as Caller, document []byte, box string) client.Outcome {
	r := client.Request{Method: http.MethodPost, Path: "/movements", Body: document, Header: http.Header{}}
	if box != "" {
		r.Header.Set("X-Callback-Box-Id", box)
	}
	return c.submit(ctx, as, r)
}

// Send sends a later message of a movement.
func (c *Client) Send(ctx context.Context, as Caller, movement string, document []byte) client.Outcome {
	if !movementID.MatchString(movement) {
		return badRequest("The movement's identifier is not a UUID.")
	}
	return c.submit(ctx, as, client.Request{Method: http.MethodPost, Path: "/movements/" + movement + "/messages", Body: document})
}

func (c *Client) submit(ctx context.Context, as Caller, r client.Request) client.Outcome {
	answer, failure := c.call(ctx, c.json, as, r)
	if failure != nil {
		return failure
	}
	var m Movement
	if err := json.Unmarshal(answer.Body, &m); err != nil || m.check() != nil {
		return answer.Unknown(fmt.Errorf("reading HMRC's answer: %w", errors.Join(err, m.check())))
	}
	return Submitted{Movement: m}
}

// check checks the identifier, because it becomes part of an address.
func (m Movement) check() error {
	if !movementID.MatchString(m.ID) {
		return fmt.Errorf("the movement has the identifier %.50q", m.ID)
	}
	return nil
}

// Query restricts a list of movements; empty fields do not.
type Query struct {
	ERN, ARC, LRN string
	UpdatedSince  time.Time // HMRC includes equal times, so that the last one comes again
}

// Movements lists movements of the caller's excise numbers.
func (c *Client) Movements(ctx context.Context, as Caller, q Query) ([]Movement, error) {
	query := url.Values{}
	for name, value := range map[string]string{"ern": q.ERN, "arc": q.ARC, "lrn": q.LRN, "updatedSince": instant(q.UpdatedSince)} {
		if value != "" {
			query.Set(name, value)
		}
	}
	answer, failure := c.call(ctx, c.json, as, client.Request{Method: http.MethodGet, Path: withQuery("/movements", query)})
	if failure != nil {
		return nil, failure
	}
	var all []Movement
	if err := json.Unmarshal(answer.Body, &all); err != nil {
		return nil, answer.Unknown(fmt.Errorf("reading HMRC's answer: %w", err))
	}
	if len(all) > maxMovements {
		return nil, answer.Unknown(fmt.Errorf("%d movements, more than %d", len(all), maxMovements))
	}
	for _, m := range all {
		if err := m.check(); err != nil {
			return nil, answer.Unknown(err)
		}
	}
	return all, nil
}

// instant writes a time as HMRC wants it; empty for the zero time.
func instant(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}

func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// Messages returns the messages of a movement to the caller's excise numbers, from a time on; the zero time is no restriction. HMRC includes equal times. The same message
// to two numbers is there twice. A message whose text cannot be decoded is there with its error.
func (c *Client) Messages(ctx context.Context, as Caller, movement string, since time.Time) ([]Message, error) {
	if !movementID.MatchString(movement) {
		return nil, badRequest("The movement's identifier is not a UUID.")
	}
	query := url.Values{}
	if at := instant(since); at != "" {
		query.Set("updatedSince", at)
	}
	answer, failure := c.call(ctx, c.json, as, client.Request{Method: http.MethodGet, Path: withQuery("/movements/"+movement+"/messages", query)})
	if failure != nil {
		return nil, failure
	}
	return readMessages(answer)
}

func readMessages(a client.Answer) ([]Message, error) {
	var body []struct {
		Encoded   string    `json:"encodedMessage"`
		Kind      emcs.Kind `json:"messageType"`
		ID        string    `json:"messageId"`
		Recipient string    `json:"recipient"`
		CreatedOn time.Time `json:"createdOn"`
	}
	if err := json.Unmarshal(a.Body, &body); err != nil {
		return nil, a.Unknown(fmt.Errorf("reading HMRC's answer: %w", err))
	}
	if len(body) > maxMessages {
		return nil, a.Unknown(fmt.Errorf("%d messages, more than %d", len(body), maxMessages))
	}
	all := make([]Message, len(body))
	for i, m := range body {
		all[i] = Message{ID: client.Clip(m.ID), Kind: m.Kind, Recipient: client.Clip(m.Recipient), CreatedOn: m.CreatedOn}
		if all[i].Document, all[i].Err = base64.StdEncoding.DecodeString(m.Encoded); all[i].Err != nil {
			all[i].Document = []byte(m.Encoded)
		}
	}
	return all, nil
}

// Message returns the XML of one message.
func (c *Client) Message(ctx context.Context, as Caller, movement, id string) ([]byte, error) {
	if !movementID.MatchString(movement) || id == "" || len(id) > maxIdentifier {
		return nil, badRequest("The identifier of the movement or of the message has not HMRC's form.")
	}
	answer, failure := c.call(ctx, c.xml, as, client.Request{Method: http.MethodGet, Path: "/movements/" + movement + "/messages/" + url.PathEscape(id)})
	if failure != nil {
		return nil, failure
	}
	return answer.Body, nil
}

// Subscribe asks for push notifications about an excise number; HMRC forgets it after 30 days.
func (c *Client) Subscribe(ctx context.Context, as Caller, ern string) error {
	return c.subscription(ctx, as, http.MethodPost, ern)
}

// Unsubscribe ends push notifications about an excise number.
func (c *Client) Unsubscribe(ctx context.Context, as Caller, ern string) error {
	return c.subscription(ctx, as, http.MethodDelete, ern)
}

func (c *Client) subscription(ctx context.Context, as Caller, method, ern string) error {
	if !ernForm.MatchString(ern) {
		return badRequest("The excise number has not the form of one.")
	}
	if _, failure := c.call(ctx, c.json, as, client.Request{Method: method, Path: "/erns/" + ern + "/subscription"}); failure != nil {
		return failure
	}
	return nil
}
