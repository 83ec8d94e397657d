package movementapi

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Addresses and media types.
const (
	tokenPath = "/oauth/token" // #nosec G101 -- a path
	scope     = "excise-movement-control-system"

	apiPath     = "/customs/excise"
	acceptJSON  = "application/vnd.hmrc.1.0+json"
	acceptXML   = "application/vnd.hmrc.1.0+xml"
	contentType = "application/xml"

	maxAnswer = 32 << 20 // bytes of a list of messages; messages with pictures of documents have megabytes
)

// Codes of refusals that callers handle.
const (
	CodeDuplicate  = "Duplicate LRN error"
	CodeValidation = "Validation error" // its details are HMRC's numbers, locations and texts
)

// codeBackEnd is the code that this package gives an answer of HMRC's gateway about a back end that it could not reach, so that nothing is stored.
const codeBackEnd = "BACKEND_UNAVAILABLE"

// ErrDisabled is the error of making a client without a base address.
var ErrDisabled = errors.New("movementapi: no base address is set: there is no connection to HMRC")

var api = client.API{
	ContentType:   contentType,
	Success:       []int{http.StatusOK, http.StatusAccepted},
	Refusals:      []int{http.StatusUnprocessableEntity},
	Closed:        []string{"SERVER_ERROR", "SCHEDULED_MAINTENANCE", codeBackEnd},
	MaxAnswer:     maxAnswer,
	Decode:        decodeProblem,
	CorrelationID: func(h http.Header) string { return client.Clip(h.Get("X-Correlation-Id")) },
	Check:         func(a client.Answer) error { return a.Err },
}

// Settings are the addresses of HMRC and the identity of the application. Without a BaseURL there is no connection.
type Settings struct {
	BaseURL      string // https, or http to this machine
	ConsentURL   string // where a person gives consent; HMRC's own for its base addresses
	ClientID     string
	ClientSecret string
	RedirectURL  string            // where HMRC sends the person back to, as it is registered there
	Deadline     time.Duration     // as in client.Settings
	Cooldown     time.Duration     // as in client.Settings
	Middleware   client.Middleware // of every exchange; nil for none
}

// Enabled reports whether there is a connection.
func (s Settings) Enabled() bool { return s.BaseURL != "" }

// Client calls HMRC. It is safe for concurrent use; a process has one for all organisations.
type Client struct {
	*client.TokenEndpoint
	json, xml *client.Client // by the media type that an answer must have; they share the rate limit
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
	c := &Client{TokenEndpoint: client.NewTokenEndpoint(client.OAuth{
		TokenURL: s.BaseURL + tokenPath, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Middleware: s.Middleware,
		Scope: scope, ConsentURL: s.ConsentURL, RedirectURL: s.RedirectURL,
	}, now)}
	var failed [2]error
	c.json, failed[0] = client.New(settingsFor(s, acceptJSON), api, limiter, now)
	c.xml, failed[1] = client.New(settingsFor(s, acceptXML), api, limiter, now)
	return c, errors.Join(failed[:]...)
}

func settingsFor(s Settings, accept string) client.Settings {
	return client.Settings{BaseURL: s.BaseURL, Accept: accept, Deadline: s.Deadline, Cooldown: s.Cooldown, Middleware: s.Middleware}
}

// BreakerOpen reports whether a circuit breaker is open.
func (c *Client) BreakerOpen() bool { return c.json.BreakerOpen() || c.xml.BreakerOpen() }

// Close closes the idle connections.
func (c *Client) Close() {
	c.json.Close()
	c.xml.Close()
}

// Caller is who calls.
type Caller struct {
	Credentials client.Credentials
	Simulator   simulator.Request // zero for HMRC, which must never get its headers
}

// call sends a request; the path is below that of the API. An answer about a back end that HMRC's gateway could not reach is an Unreachable, whatever its status.
func (c *Client) call(ctx context.Context, through *client.Client, as Caller, r client.Request) (client.Answer, client.Failure) {
	r.Path = apiPath + r.Path
	header := as.Simulator.Header()
	maps.Copy(header, r.Header)
	r.Header = header
	answer, failure := through.Do(ctx, as.Credentials, r)
	if refused, is := failure.(client.Refused); is && refused.Code == codeBackEnd {
		return answer, client.Unreachable{Cause: errors.New(refused.Error())} // not the refusal itself, which errors.As would find
	}
	return answer, failure
}

// problem is an error body of EMCS, or of HMRC's API platform, which has a code.
type problem struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Debug     string `json:"debugMessage"`
	Validator []struct {
		Type     json.Number `json:"errorType"`
		Reason   string      `json:"errorReason"`
		Location string      `json:"errorLocation"`
	} `json:"validatorResults"`
}

// backEndTexts are parts of the texts of answers about a back end that could not be reached.
var backEndTexts = []string{"Connection refused", "CIRCUIT_BREAKER"}

// decodeProblem reads an error body into the form of the API platform: EMCS's message becomes the code, and its numbers and locations the details.
func decodeProblem(body []byte, into any) error {
	var p problem
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	if p.Code == "" {
		p.Code, p.Message = p.Message, p.Debug
	}
	if slices.ContainsFunc(backEndTexts, func(text string) bool { return strings.Contains(p.Debug, text) }) {
		p.Code = codeBackEnd
	}
	details := make([]client.Detail, len(p.Validator))
	for i, v := range p.Validator {
		details[i] = client.Detail{Code: v.Type.String(), Message: v.Reason, Path: v.Location}
	}
	platform, err := json.Marshal(map[string]any{"code": p.Code, "message": p.Message, "errors": details})
	if err != nil {
		return err
	}
	return json.Unmarshal(platform, into)
}

// Number returns the number of a detail of a CodeValidation; 0 if it has none.
func Number(d client.Detail) int {
	n, err := strconv.Atoi(d.Code)
	if err != nil {
		return 0
	}
	return n
}
