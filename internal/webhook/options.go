package webhook

import (
	"crypto/tls"
	"fmt"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Options are how the receiver of an endpoint wants to be called.
type Options struct {
	Headers map[string]string `json:"headers,omitempty" maxProperties:"20" doc:"Headers of your own with each delivery; not ours, nor those of HTTP's framing" example:"{\"X-Branch\":\"Dover\"}"`
	Retry   *Retry            `json:"retry,omitempty" doc:"When a failed delivery is tried again; absent or {} for the schedule of the service"`
}

// Retry is an endpoint's own schedule.
type Retry struct {
	Schedule       []int `json:"schedule,omitempty" nullable:"false" maxItems:"20" doc:"Seconds between two attempts, each from 1 to 86,400, used exactly" example:"[30,300,3600]"`
	TimeoutSeconds int   `json:"timeoutSeconds,omitempty" minimum:"1" maximum:"60" doc:"How long an attempt may take; 15 if it is absent" example:"30"`
}

// Credentials are what a receiver asks for besides the signature. They are stored sealed and never shown again.
type Credentials struct {
	MTLS  *ClientCertificate `json:"mtls,omitempty" writeOnly:"true" doc:"Certificate that the service shows to the receiver"`
	OAuth *ClientGrant       `json:"oauth,omitempty" writeOnly:"true" doc:"Where the service gets an access token for the receiver"`
	// Broker is for kinds other than webhook.
	Broker *destination.Credentials `json:"credentials,omitempty" writeOnly:"true" doc:"What a destination of another kind than webhook asks for: username and password, token, or accessKeyId and secretAccessKey"`
}

// ClientCertificate is a certificate with its private key.
type ClientCertificate struct {
	Certificate string `json:"certificate" minLength:"1" maxLength:"32768" doc:"Certificate in PEM, with those between it and the authority" example:"-----BEGIN CERTIFICATE-----"`
	Key         string `json:"key" minLength:"1" maxLength:"16384" doc:"Its private key in PEM, without a password" example:"-----BEGIN PRIVATE KEY-----"`
}

// ClientGrant is what OAuth 2 needs for the grant client_credentials (RFC 6749, section 4.4).
type ClientGrant struct {
	TokenURL     string `json:"tokenUrl" format:"uri" minLength:"1" maxLength:"2048" doc:"Token endpoint of the receiver's authorisation server" example:"https://login.example.com/oauth/token"`
	ClientID     string `json:"clientId" minLength:"1" maxLength:"500" doc:"Id of the service there" example:"tidewaiter"`
	ClientSecret string `json:"clientSecret" minLength:"1" maxLength:"1000" doc:"Secret of the service there" example:"k3…"`
	Scope        string `json:"scope,omitempty" maxLength:"1000" doc:"Scopes, with spaces between" example:"events.write"`
}

// Limits of the own headers and of the schedule.
const (
	maxOwnHeaderName  = 100
	maxOwnHeaderValue = 1000
	longestWait       = 24 * 60 * 60 // seconds
)

// framing are headers that belong to HTTP or to the signature.
var framing = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Host", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent",
}

// framingPrefixes begin the names of headers of proxies and of the service.
var framingPrefixes = []string{"Proxy-", "Webhook-", "X-Service-"}

// orNil returns nil for a schedule that says nothing.
func (r *Retry) orNil() *Retry {
	if r == nil || len(r.Schedule) == 0 && r.TimeoutSeconds == 0 {
		return nil
	}
	return r
}

// check returns what is wrong with the options, beyond what their schema says.
func (o Options) check() (details []apierr.Detail) {
	for name, value := range o.Headers {
		if problem := ownHeaderProblem(name, value); problem != "" {
			details = append(details, apierr.Detail{Field: "headers." + name, Message: problem})
		}
	}
	slices.SortFunc(details, func(a, b apierr.Detail) int { return strings.Compare(a.Field, b.Field) })
	if o.Retry == nil {
		return details
	}
	for i, seconds := range o.Retry.Schedule {
		if seconds < 1 || seconds > longestWait {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("retry.schedule[%d]", i), Message: "must be from 1 to 86400 seconds"})
		}
	}
	return details
}

func ownHeaderProblem(name, value string) string {
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	switch {
	case len(name) > maxOwnHeaderName || !httpguts.ValidHeaderFieldName(name):
		return fmt.Sprintf("is not the name of a header of at most %d characters", maxOwnHeaderName)
	case slices.Contains(framing, canonical) || slices.ContainsFunc(framingPrefixes, func(p string) bool { return strings.HasPrefix(canonical, p) }):
		return "belongs to HTTP or to this service"
	case len(value) > maxOwnHeaderValue || !httpguts.ValidHeaderFieldValue(value):
		return fmt.Sprintf("must be text of at most %d bytes without control characters", maxOwnHeaderValue)
	}
	return ""
}

// check returns what is wrong with the credentials.
func (c Credentials) check(o Options, checkURL func(string) error) (details []apierr.Detail) {
	if c.MTLS != nil {
		if _, err := tls.X509KeyPair([]byte(c.MTLS.Certificate), []byte(c.MTLS.Key)); err != nil {
			details = append(details, apierr.Detail{Field: "mtls", Message: "is not a certificate with its private key, both in PEM"})
		}
	}
	if c.OAuth == nil {
		return details
	}
	if err := checkURL(c.OAuth.TokenURL); err != nil {
		details = append(details, apierr.Detail{Field: "oauth.tokenUrl", Message: err.Error()})
	}
	for name := range o.Headers {
		if strings.EqualFold(name, "Authorization") {
			details = append(details, apierr.Detail{Field: "headers." + name, Message: "is what oauth sets; give one of the two"})
		}
	}
	return details
}

// certificateEnded says that a certificate has ended; nothing if it has not, or if there is none.
func certificateEnded(ends, now time.Time) string {
	if ends.IsZero() || now.Before(ends) {
		return ""
	}
	return "the certificate in mtls ended at " + ends.UTC().Format(time.RFC3339)
}

// soonEnds is how long before its end a certificate is worth a warning.
const soonEnds = 30 * 24 * time.Hour

// CertificateWarning says when the certificate of an endpoint ends, if that is soon or has been; nothing otherwise.
func (s *Service) CertificateWarning(org tenant.ID, e *Endpoint, now time.Time) (string, error) {
	c, err := openJSON[ClientCertificate](s.Sealer, org, e.ID, e.MTLS)
	if err != nil || c == nil {
		return "", err
	}
	pair, err := tls.X509KeyPair([]byte(c.Certificate), []byte(c.Key))
	switch {
	case err != nil:
		return "", err
	case !now.Before(pair.Leaf.NotAfter):
		return "The certificate ended at " + pair.Leaf.NotAfter.UTC().Format(time.RFC3339) + ". Receivers that check it refuse deliveries.", nil
	case pair.Leaf.NotAfter.Sub(now) < soonEnds:
		return "The certificate ends at " + pair.Leaf.NotAfter.UTC().Format(time.RFC3339) + ". Give the endpoint a new one before that.", nil
	}
	return "", nil
}

// timeout returns how long an attempt may take; fallback if the endpoint has no own limit.
func (o Options) timeout(fallback time.Duration) time.Duration {
	if o.Retry == nil || o.Retry.TimeoutSeconds == 0 {
		return fallback
	}
	return time.Duration(o.Retry.TimeoutSeconds) * time.Second
}

// own returns the endpoint's own schedule; nil for none.
func (o Options) own() (waits []time.Duration) {
	if o.Retry == nil {
		return nil
	}
	for _, seconds := range o.Retry.Schedule {
		waits = append(waits, time.Duration(seconds)*time.Second)
	}
	return waits
}
