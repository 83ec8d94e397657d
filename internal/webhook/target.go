package webhook

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// target is an endpoint with all that an attempt needs, opened.
type target struct {
	url     string
	signers []signer // newest first
	options Options
	client  *http.Client
	tokens  *tokens   // nil without OAuth
	ends    time.Time // of the certificate that receivers are shown; zero for none
	broker  *broker   // nil for webhooks
}

// target opens an endpoint.
func (s *Sender) target(sealer Sealer, org tenant.ID, e *Endpoint, now time.Time) (*target, error) {
	keys, err := secrets(sealer, org, e, now)
	if err != nil {
		return nil, err
	}
	t := &target{url: e.URL, signers: newSigners(keys), options: e.Options, client: s.Client}
	if !e.isWebhook() {
		t.broker, err = s.broker(sealer, org, e)
		return t, err
	}
	if e.MTLS == "" && e.OAuth == "" {
		return t, nil
	}
	own, err := s.access(sealer, org, e)
	if err == nil {
		t.client, t.tokens, t.ends = own.client, own.tokens, own.ends
	}
	return t, err
}

// authorise adds an access token, if the receiver asks for one.
func (t *target) authorise(ctx context.Context, h http.Header) (token string, err error) {
	if t.tokens == nil {
		return "", nil
	}
	if token, err = t.tokens.get(ctx); err == nil {
		h.Set("Authorization", "Bearer "+token)
	}
	return token, err
}

// sealCredentials seals what is given, each for itself.
func sealCredentials(s Sealer, org tenant.ID, e *Endpoint, c Credentials) (err error) {
	if e.MTLS, err = sealJSON(s, org, e.ID, c.MTLS); err != nil {
		return err
	}
	if e.OAuth, err = sealJSON(s, org, e.ID, c.OAuth); err != nil {
		return err
	}
	e.Broker, err = sealJSON(s, org, e.ID, c.Broker)
	return err
}

func sealJSON[T any](s Sealer, org tenant.ID, id string, value *T) (Sealed, error) {
	if value == nil {
		return "", nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	return seal(s, org, id, string(text))
}

func openCredentials(s Sealer, org tenant.ID, e *Endpoint) (c Credentials, err error) {
	if c.MTLS, err = openJSON[ClientCertificate](s, org, e.ID, e.MTLS); err != nil {
		return c, err
	}
	if c.OAuth, err = openJSON[ClientGrant](s, org, e.ID, e.OAuth); err != nil {
		return c, err
	}
	c.Broker, err = openJSON[destination.Credentials](s, org, e.ID, e.Broker)
	return c, err
}

func openJSON[T any](s Sealer, org tenant.ID, id string, sealed Sealed) (*T, error) {
	if sealed == "" {
		return nil, nil
	}
	text, err := open(s, org, id, sealed)
	if err != nil {
		return nil, err
	}
	value := new(T)
	return value, json.Unmarshal([]byte(text), value)
}
