package cds

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// The versions of the declarations API. They differ in name only, but each
// environment answers to some of them: production and Trader Dress Rehearsal to
// 1.0, Trade Test to 2.0. Any other is a 406.
const (
	Version1 = "application/vnd.hmrc.1.0+xml"
	Version2 = "application/vnd.hmrc.2.0+xml"
	Version3 = "application/vnd.hmrc.3.0+xml"
)

// Scope is what a user token needs for sending declarations.
const Scope = "write:customs-declaration"

// MovementScope is what a user token needs for sending movements of exports.
const MovementScope = "write:customs-inventory-linking-exports"

const (
	submitPath  = "/customs/declarations/"
	cancelPath  = "/customs/declarations/cancellation-requests"
	amendPath   = "/customs/declarations/amend"
	presentPath = "/customs/declarations/arrival-notification"

	movementPath = "/customs/inventory-linking/exports/"
)

var errNoConversation = errors.New("CDS accepted the document without a conversation id")

// declarations is the declarations API. SERVER_ERROR is the code of a version that is
// switched off, the first check of all.
var declarations = client.API{
	ContentType: "application/xml; charset=utf-8",
	Success:     []int{http.StatusAccepted},
	Closed:      []string{"SERVER_ERROR"},
	Decode:      xml.Unmarshal,
	CorrelationID: func(h http.Header) string {
		id, _ := ConversationID(h)
		return id
	},
	Check: func(a client.Answer) error {
		if a.CorrelationID == "" {
			return errNoConversation
		}
		return nil
	},
}

// Accepted means that CDS has the document: it matches the schema and has been passed to the back end. Everything else
// follows by notification.
type Accepted struct {
	client.Accepted
	ConversationID string // of this document alone; a cancellation gets its own
}

// Client sends documents to CDS.
type Client struct {
	*client.Client
	uploads *client.Client
	exports *client.Client // inventory linking of exports
	header  http.Header    // of every request, besides those of CDS
}

// WithHeader returns the client with more headers, for a simulator. HMRC must never get them.
func (c *Client) WithHeader(h http.Header) *Client { return &Client{c.Client, c.uploads, c.exports, h} }

// NewClient makes a Client; it does not connect yet. Settings without Accept mean Version1.
func NewClient(s client.Settings, limiter client.Limiter, now func() time.Time) (*Client, error) {
	if s.Accept == "" {
		s.Accept = Version1
	}
	c, err := client.New(s, declarations, limiter, now)
	if err != nil {
		return nil, err
	}
	forms, err := client.New(s, uploads, limiter, now)
	if err != nil {
		return nil, err
	}
	if s.Accept == Version3 {
		s.Accept = Version2 // inventory linking has no version 3
	}
	exports, err := client.New(s, declarations, limiter, now)
	if err != nil {
		return nil, err
	}
	return &Client{Client: c, uploads: forms, exports: exports}, nil
}

// Close closes the idle connections.
func (c *Client) Close() {
	c.Client.Close()
	c.uploads.Close()
	c.exports.Close()
}

// Submit sends a declaration. The credentials name the submitter: CDS reads the EORI from
// the token and from nothing else.
func (c *Client) Submit(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	return c.send(ctx, as, submitPath, document)
}

// Cancel sends a cancellation request for a declaration. Acceptance means that
// CDS will consider it, not that the declaration is cancelled.
func (c *Client) Cancel(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	return c.send(ctx, as, cancelPath, document)
}

// Amend sends a request to amend a declaration. Acceptance means that CDS will consider it.
func (c *Client) Amend(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	return c.send(ctx, as, amendPath, document)
}

// Present sends the notification that the goods of a pre-lodged declaration have arrived.
func (c *Client) Present(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	return c.send(ctx, as, presentPath, document)
}

// Move sends a request about a movement or a consolidation of exports. Acceptance means that HMRC will consider it.
func (c *Client) Move(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	return c.sendBy(ctx, c.exports, as, movementPath, document)
}

func (c *Client) send(ctx context.Context, as client.Credentials, path string, document []byte) client.Outcome {
	return c.sendBy(ctx, c.Client, as, path, document)
}

func (c *Client) sendBy(ctx context.Context, by *client.Client, as client.Credentials, path string, document []byte) client.Outcome {
	answer, failure := by.Do(ctx, as, client.Request{Method: http.MethodPost, Path: path, Header: c.header, Body: document})
	if failure != nil {
		return failure
	}
	return Accepted{ConversationID: answer.CorrelationID}
}
