package gvms

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/pushpull"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Paths of the two APIs.
const (
	MovementsPath = "/customs/goods-movement-system/movements"
	ReferencePath = "/customs/goods-movement-system/reference-data"
	boxPath       = "/misc/push-pull-notification/box/"
)

// Accept is the media type of answers.
const Accept = "application/vnd.hmrc.1.0+json"

// NotificationScope is the scope of the application's tokens for notifications. The scope of the API for hauliers is not
// public, so it is a setting.
const NotificationScope = "read:pull-notifications write:notifications"

// MaxPulled is the number of notifications in one answer, and of ids in one acknowledgement.
const MaxPulled = 100

// PullInterval is the time between two pulls: HMRC does not want more than one in 10 seconds.
const PullInterval = 10 * time.Second

var api = client.API{
	ContentType:   "application/json",
	Success:       []int{http.StatusOK, http.StatusAccepted, http.StatusNoContent},
	Refusals:      []int{http.StatusMethodNotAllowed, http.StatusUnprocessableEntity},
	Closed:        []string{"SERVER_ERROR", "SCHEDULED_MAINTENANCE"},
	Decode:        json.Unmarshal,
	CorrelationID: func(h http.Header) string { return client.Clip(h.Get("X-Correlation-Id")) },
	Check:         func(a client.Answer) error { return a.Err },
}

// Client calls HMRC. It is safe for concurrent use; a process has one for all organisations.
type Client struct{ *client.Client }

// New makes a Client; it does not connect yet.
func New(s client.Settings, limiter client.Limiter, now func() time.Time) (*Client, error) {
	s.Accept = Accept
	c, err := client.New(s, api, limiter, now)
	if err != nil {
		return nil, fmt.Errorf("gvms: %w", err)
	}
	return &Client{c}, nil
}

// Accepted is the outcome of a request that HMRC accepted. Nothing more is known then: a notification tells the rest.
type Accepted struct{ client.Accepted }

// Create sends a new record. An Unknown may be repeated only if no record with the same content is in List.
func (c *Client) Create(ctx context.Context, as client.Credentials, r Record, asked simulator.Request) client.Outcome {
	return c.send(ctx, as, http.MethodPost, MovementsPath, &r, asked)
}

// Update replaces a record as a whole. It may be repeated.
func (c *Client) Update(ctx context.Context, as client.Credentials, id string, r Record, asked simulator.Request) client.Outcome {
	return c.send(ctx, as, http.MethodPut, pathOf(id), &r, asked)
}

// Delete deletes a record, which is possible until the vehicle has checked in. It may be repeated: a record that is gone is
// a Refused with the status 404.
func (c *Client) Delete(ctx context.Context, as client.Credentials, id string, asked simulator.Request) client.Outcome {
	return c.send(ctx, as, http.MethodDelete, pathOf(id), nil, asked)
}

// Movement reads a record.
func (c *Client) Movement(ctx context.Context, as client.Credentials, id string, asked simulator.Request) (m Movement, failure client.Failure) {
	failure = c.get(ctx, as, pathOf(id), asked, &m)
	return m, failure
}

// MovementBytes reads a record as HMRC sends it.
func (c *Client) MovementBytes(ctx context.Context, as client.Credentials, id string, asked simulator.Request) (raw []byte, failure client.Failure) {
	a, failure := c.Do(ctx, as, client.Request{Method: http.MethodGet, Path: pathOf(id), Header: asked.Header()})
	return a.Body, failure
}

// Summary is a record in List, in which state and inspection are not in metadata.
type Summary struct {
	ID            string    `json:"gmrId"`
	Direction     Direction `json:"direction"`
	State         State     `json:"state"`
	VehicleRegNum string    `json:"vehicleRegNum,omitempty"`
	Planned       *Crossing `json:"plannedCrossing,omitempty"`
	Created       string    `json:"createdDateTime"`
	Updated       string    `json:"updatedDateTime"`
}

// List returns the records of the caller's account that changed in the last 28 days.
func (c *Client) List(ctx context.Context, as client.Credentials, asked simulator.Request) (all []Summary, failure client.Failure) {
	failure = c.get(ctx, as, MovementsPath, asked, &all)
	return all, failure
}

// Pull returns the oldest pending notifications of a box, at most MaxPulled. The credentials are the application's own.
func (c *Client) Pull(ctx context.Context, as client.Credentials, box string) (all []pushpull.Notification, failure client.Failure) {
	query := url.Values{"status": {pushpull.Pending}, "count": {strconv.Itoa(MaxPulled)}}
	failure = c.get(ctx, as, boxPath+url.PathEscape(box)+"/notifications?"+query.Encode(), simulator.Request{}, &all)
	return all, failure
}

// Acknowledge ends the delivery of notifications, at most MaxPulled. It may be repeated. Only what is stored may be
// acknowledged.
func (c *Client) Acknowledge(ctx context.Context, as client.Credentials, box string, ids []string) client.Outcome {
	body, err := json.Marshal(map[string][]string{"notificationIds": ids})
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return c.outcome(ctx, as, client.Request{Method: http.MethodPut, Path: boxPath + url.PathEscape(box) + "/notifications/acknowledge", Body: body})
}

func pathOf(id string) string { return MovementsPath + "/" + url.PathEscape(id) }

// send sends a record, or nothing, after a check of what HMRC would refuse.
func (c *Client) send(ctx context.Context, as client.Credentials, method, path string, r *Record, asked simulator.Request) client.Outcome {
	request := client.Request{Method: method, Path: path, Header: asked.Header()}
	if r != nil {
		if faults := r.Check(); len(faults) > 0 {
			return refusal(faults)
		}
		body, err := json.Marshal(r)
		if err != nil {
			return client.Unreachable{Cause: err}
		}
		request.Body = body
	}
	return c.outcome(ctx, as, request)
}

// refusal is the outcome of a record that HMRC's schema does not allow. Nothing is sent.
func refusal(faults []Fault) client.Refused {
	r := client.Refused{Status: http.StatusBadRequest, Code: "INVALID_RECORD"}
	var all []string
	for _, f := range faults {
		all = append(all, f.Field+": "+f.Message)
		r.Details = append(r.Details, client.Detail{Code: r.Code, Message: f.Message, Path: f.Field})
	}
	r.Message = client.Clip(strings.Join(all, "; "))
	r.Details = r.Details[:min(len(r.Details), client.MaxDetails)]
	return r
}

func (c *Client) outcome(ctx context.Context, as client.Credentials, r client.Request) client.Outcome {
	if _, failure := c.Do(ctx, as, r); failure != nil {
		return failure
	}
	return Accepted{}
}

func (c *Client) get(ctx context.Context, as client.Credentials, path string, asked simulator.Request, into any) client.Failure {
	a, failure := c.Do(ctx, as, client.Request{Method: http.MethodGet, Path: path, Header: asked.Header()})
	if failure != nil {
		return failure
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		return a.Unknown(fmt.Errorf("gvms: reading the answer: %w", err))
	}
	return nil
}
