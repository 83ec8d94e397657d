package mtd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Addresses for consent, tokens and the API.
const (
	tokenPath = "/oauth/token" // #nosec G101 -- a path
	scope     = "read:vat write:vat"

	apiPath   = "/organisations/vat/"
	accept    = "application/vnd.hmrc.1.0+json"
	vrnDigits = 9
)

// Codes of refusals that the client handles or creates.
const (
	CodeDuplicate = "DUPLICATE_SUBMISSION"
	CodeNotFound  = "NOT_FOUND"
	CodeOther     = "OTHER_RETURN_SUBMITTED" // the client's own: HMRC has another return for the period
)

// ErrDisabled is the error of making a client without a base address.
var ErrDisabled = errors.New("mtd: no base address is set: there is no connection to HMRC")

// vat is the VAT (MTD) API.
var vat = client.API{
	ContentType:   "application/json",
	Success:       []int{http.StatusOK, http.StatusCreated},
	Refusals:      []int{http.StatusMethodNotAllowed, http.StatusUnprocessableEntity},
	Closed:        []string{"SERVER_ERROR", "SCHEDULED_MAINTENANCE"},
	Decode:        json.Unmarshal,
	CorrelationID: func(h http.Header) string { return client.Clip(h.Get("X-CorrelationId")) },
	Check:         func(a client.Answer) error { return a.Err },
}

// Settings are the addresses of HMRC and the identity of the application. Without a BaseURL there is no connection.
type Settings struct {
	BaseURL      string // https, or http to this machine
	ConsentURL   string // where a person gives consent; HMRC's own for its base addresses
	ClientID     string
	ClientSecret string
	RedirectURL  string // where HMRC sends the person back to, as it is registered there
	Vendor       Vendor
	Deadline     time.Duration     // as in client.Settings
	Cooldown     time.Duration     // as in client.Settings
	Middleware   client.Middleware // of every exchange; nil for none
}

// Enabled reports whether there is a connection.
func (s Settings) Enabled() bool { return s.BaseURL != "" }

// Client calls HMRC. It is safe for concurrent use; a process has one for all organisations.
type Client struct {
	*client.Client
	*client.TokenEndpoint
	vendor Vendor
}

// Caller is the identity for a call: the VAT number of the trader, the tokens of the person who gave consent, and data
// of the person's device.
type Caller struct {
	VRN    ident.VRN
	Tokens client.TokenStore
	Origin Origin
}

// New makes a Client; it does not connect yet.
func New(s Settings, limiter client.Limiter, now func() time.Time) (*Client, error) {
	if !s.Enabled() {
		return nil, ErrDisabled
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.ConsentURL == "" {
		s.ConsentURL = client.ConsentURL(s.BaseURL)
	}
	for _, address := range []string{s.BaseURL, s.ConsentURL} {
		if err := client.CheckAddress(address); err != nil {
			return nil, err
		}
	}
	api, err := client.New(client.Settings{BaseURL: s.BaseURL, Accept: accept, Deadline: s.Deadline, Cooldown: s.Cooldown, Middleware: s.Middleware}, vat, limiter, now)
	if err != nil {
		return nil, err
	}
	return &Client{Client: api, vendor: s.Vendor, TokenEndpoint: client.NewTokenEndpoint(client.OAuth{
		TokenURL: s.BaseURL + tokenPath, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Middleware: s.Middleware,
		Scope: scope, ConsentURL: s.ConsentURL, RedirectURL: s.RedirectURL,
	}, now)}, nil
}

// call sends a request; the path is relative to the VAT number. A VAT number that is not nine digits is an error.
func (c *Client) call(ctx context.Context, as Caller, r client.Request) (client.Answer, client.Failure) {
	if len(as.VRN) != vrnDigits || as.VRN[0] > '9' {
		return client.Answer{}, client.Refused{Status: http.StatusBadRequest, Code: "VRN_INVALID", Message: "The trader's VAT registration number is not nine digits."}
	}
	r.Path = apiPath + string(as.VRN) + r.Path
	r.Header = as.Origin.Header(c.vendor)
	return c.Do(ctx, c.User(as.Tokens), r)
}

// read decodes an answer. An unreadable answer is an Unknown.
func read(a client.Answer, into any) client.Failure {
	if err := json.Unmarshal(a.Body, into); err != nil {
		return a.Unknown(fmt.Errorf("reading HMRC's answer: %w", err))
	}
	return nil
}
