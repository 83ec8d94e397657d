package ensapi

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Paths of the three APIs.
const (
	DeclarationsPath  = "/customs/imports/declarations/"
	OutcomesPath      = "/customs/imports/outcomes/"
	NotificationsPath = "/customs/imports/notifications/"
)

// Accept is the media type of answers, which are all XML; ContentType is that of a document.
const (
	Accept      = "application/vnd.hmrc.1.0+xml"
	ContentType = "application/xml; charset=UTF-8"
)

// Scope is the scope of the organisation's consent, for all three APIs. The person signs in with an account that has the enrolment
// HMRC-SS-ORG.
const Scope = "write:import-control-system"

// Most entries of a list. More are listed once these are acknowledged.
const (
	MaxOutcomes      = 100
	MaxNotifications = 10
)

// CodeRejected is the code of a refusal whose details are HMRC's numbers, texts and locations.
const CodeRejected = "ENS_ERRORS"

// Risking is a header of HMRC's sandbox, which gives an outcome only if it is asked for one.
const (
	Risking = "simulateRiskingResponse"
	Accepts = "accept"
)

var api = client.API{
	ContentType:   ContentType,
	Success:       []int{http.StatusOK, http.StatusNoContent},
	Closed:        []string{"SERVER_ERROR", "SCHEDULED_MAINTENANCE"},
	Decode:        decodeProblem,
	CorrelationID: func(h http.Header) string { return client.Clip(h.Get("X-Correlation-Id")) },
	Check:         func(a client.Answer) error { return a.Err },
}

// decodeProblem reads an error body into the form of HMRC's API platform: a list of errors, or a code with a message.
func decodeProblem(body []byte, into any) error {
	platform := map[string]any{}
	if all, err := ens.ReadRefusal(body); err == nil {
		details := make([]client.Detail, len(all))
		for i, e := range all {
			details[i] = client.Detail{Code: strconv.Itoa(e.Number), Message: e.Text, Path: e.Location}
		}
		platform["code"], platform["message"], platform["errors"] = CodeRejected, summary(details), details
	} else {
		var plain struct {
			XMLName xml.Name `xml:"error"`
			Code    string   `xml:"code"`
			Message string   `xml:"message"`
		}
		if err := xml.Unmarshal(body, &plain); err != nil {
			return err
		}
		platform["code"], platform["message"] = plain.Code, plain.Message
	}
	text, err := json.Marshal(platform)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func summary(details []client.Detail) string {
	if len(details) == 1 {
		return fmt.Sprintf("Error %s: %s", details[0].Code, details[0].Message)
	}
	return fmt.Sprintf("%d errors", len(details))
}

// Number returns the number of a detail of CodeRejected; 0 if it has none.
func Number(d client.Detail) int {
	n, err := strconv.Atoi(d.Code)
	if err != nil {
		return 0
	}
	return n
}

// Client calls HMRC. It is safe for concurrent use; a process has one for all organisations.
type Client struct{ *client.Client }

// New makes a Client; it does not connect yet.
func New(s client.Settings, limiter client.Limiter, now func() time.Time) (*Client, error) {
	s.Accept = Accept
	c, err := client.New(s, api, limiter, now)
	if err != nil {
		return nil, fmt.Errorf("ensapi: %w", err)
	}
	return &Client{c}, nil
}

// Received is the outcome of a declaration or amendment that HMRC has taken for its risk assessment.
type Received struct {
	client.Accepted
	CorrelationID string
}

// Declare sends a CC315A. HMRC accepts one LRN of a person once, so it may be repeated: of two, one is rejected later.
func (c *Client) Declare(ctx context.Context, as client.Credentials, document []byte, header http.Header) client.Outcome {
	return c.send(ctx, as, client.Request{Method: http.MethodPost, Path: DeclarationsPath, Body: document, Header: header})
}

// Amend sends a CC313A about a declaration with an MRN. It may be repeated: the same amendment changes nothing.
func (c *Client) Amend(ctx context.Context, as client.Credentials, mrn string, document []byte, header http.Header) client.Outcome {
	return c.send(ctx, as, client.Request{Method: http.MethodPut, Path: DeclarationsPath + url.PathEscape(mrn), Body: document, Header: header})
}

func (c *Client) send(ctx context.Context, as client.Credentials, r client.Request) client.Outcome {
	a, failure := c.Do(ctx, as, r)
	if failure != nil {
		return failure
	}
	id, err := ens.ReadReceipt(a.Body)
	if err != nil {
		return a.Unknown(fmt.Errorf("ensapi: reading the receipt: %w", err))
	}
	return Received{CorrelationID: id}
}

// Outcomes lists the outcomes that are not acknowledged, oldest first, at most MaxOutcomes.
func (c *Client) Outcomes(ctx context.Context, as client.Credentials, asked simulator.Request) ([]ens.Listed, client.Failure) {
	return c.list(ctx, as, OutcomesPath, asked)
}

// Notifications lists the notifications that are not acknowledged, oldest first, at most MaxNotifications.
func (c *Client) Notifications(ctx context.Context, as client.Credentials, asked simulator.Request) ([]ens.Listed, client.Failure) {
	return c.list(ctx, as, NotificationsPath, asked)
}

func (c *Client) list(ctx context.Context, as client.Credentials, path string, asked simulator.Request) ([]ens.Listed, client.Failure) {
	a, failure := c.Do(ctx, as, client.Request{Method: http.MethodGet, Path: path, Header: asked.Header()})
	if failure != nil || a.Status == http.StatusNoContent {
		return nil, failure
	}
	all, err := ens.ReadList(a.Body)
	if err != nil {
		return nil, a.Unknown(fmt.Errorf("ensapi: reading a list: %w", err))
	}
	return all, nil
}

// Outcome reads the outcome of a declaration or amendment, whatever it is. One that was acknowledged is a Refused with the status 404.
func (c *Client) Outcome(ctx context.Context, as client.Credentials, correlationID string, asked simulator.Request) ([]byte, client.Failure) {
	return c.get(ctx, as, OutcomesPath+url.PathEscape(correlationID), asked)
}

// Notification reads a notification, like Outcome.
func (c *Client) Notification(ctx context.Context, as client.Credentials, id string, asked simulator.Request) ([]byte, client.Failure) {
	return c.get(ctx, as, NotificationsPath+url.PathEscape(id), asked)
}

func (c *Client) get(ctx context.Context, as client.Credentials, path string, asked simulator.Request) ([]byte, client.Failure) {
	a, failure := c.Do(ctx, as, client.Request{Method: http.MethodGet, Path: path, Header: asked.Header()})
	return a.Body, failure
}

// AcknowledgeOutcome makes HMRC forget an outcome, which must be stored before. It may be repeated.
func (c *Client) AcknowledgeOutcome(ctx context.Context, as client.Credentials, correlationID string, asked simulator.Request) client.Failure {
	return c.acknowledge(ctx, as, OutcomesPath+url.PathEscape(correlationID), asked)
}

// AcknowledgeNotification is AcknowledgeOutcome for a notification.
func (c *Client) AcknowledgeNotification(ctx context.Context, as client.Credentials, id string, asked simulator.Request) client.Failure {
	return c.acknowledge(ctx, as, NotificationsPath+url.PathEscape(id), asked)
}

func (c *Client) acknowledge(ctx context.Context, as client.Credentials, path string, asked simulator.Request) client.Failure {
	_, failure := c.Do(ctx, as, client.Request{Method: http.MethodDelete, Path: path, Header: asked.Header()})
	if refused, ok := failure.(client.Refused); ok && refused.Status == http.StatusNotFound {
		return nil // it was acknowledged before
	}
	return failure
}
