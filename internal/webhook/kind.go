package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// tryTimeout is how long a destination may take to answer before it is stored.
const tryTimeout = 10 * time.Second

func (in *Input) kind() string { return cmp.Or(in.Kind, Webhook) }

func (in *Input) config() (c destination.Config) {
	if in.Config != nil {
		c = *in.Config
	}
	return c
}

// settings returns how the destination of an endpoint that is no webhook is reached.
func (in *Input) settings() destination.Settings {
	s := destination.Settings{URL: in.URL, Config: in.config()}
	if in.Broker != nil {
		s.Credentials = *in.Broker
	}
	return s
}

// checkDestination returns what is wrong with the address and with what belongs to the kind of an endpoint.
func (s *Service) checkDestination(in Input) (details []apierr.Detail) {
	if in.kind() == Webhook {
		if err := s.checkURL(in.URL); err != nil {
			details = append(details, apierr.Detail{Field: "url", Message: err.Error()})
		}
		return append(details, misplaced("is for other kinds than webhook", map[string]bool{
			"config": in.config() != destination.Config{}, "credentials": in.Broker != nil,
		})...)
	}
	kind, known := s.Kinds[in.kind()]
	if !known {
		return []apierr.Detail{{Field: "kind", Message: "is none of webhook, amqp, kafka, nats, sqs and s3"}}
	}
	return append(kind.Problems(s.Network, in.settings()), misplaced("is for the kind webhook only", map[string]bool{
		"headers": len(in.Headers) > 0, "mtls": in.MTLS != nil, "oauth": in.OAuth != nil,
	})...)
}

// misplaced returns the members that are set although they belong to other kinds.
func misplaced(why string, set map[string]bool) (details []apierr.Detail) {
	for _, field := range []string{"config", "credentials", "headers", "mtls", "oauth"} {
		if set[field] {
			details = append(details, apierr.Detail{Field: field, Message: why})
		}
	}
	return details
}

// checkChange returns every problem of changed settings.
func (s *Service) checkChange(e *Endpoint, c Change) error {
	if c.kind() != cmp.Or(e.Kind, Webhook) {
		return apierr.Invalid(apierr.Detail{Field: "kind", Message: "cannot be changed. Create another endpoint"})
	}
	return s.check(c.Input)
}

// Try connects to the destination of an endpoint that is about to be created, unless it is a webhook. It makes sure that the
// receiver accepts the credentials and has what the settings name. It must not be called in a transaction.
func (s *Service) Try(ctx context.Context, in Input) error {
	if in.kind() == Webhook {
		return nil
	}
	if err := s.check(in); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	d, err := s.Kinds[in.kind()].Open(s.Network, in.settings())
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Check(ctx); err != nil {
		return unusable(ctx, err)
	}
	return nil
}

// unusable returns the error for a destination that cannot be used.
func unusable(ctx context.Context, err error) error {
	var said *destination.Refusal
	field, why := "url", explainBroker(err)
	switch {
	case errors.As(err, &said):
		field = cmp.Or(said.Field, field)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		why = "the receiver cannot be reached in time"
	}
	return apierr.Invalid(apierr.Detail{Field: field, Message: "cannot be used: " + why})
}

// TryChange tries the destination of an endpoint as a change will make it, unless the change leaves the destination as it is. The
// Merge that it returns accepts no other destination than the one that was tried. It must not be called in a transaction.
func (s *Service) TryChange(ctx context.Context, org tenant.ID, e Endpoint, merge Merge) (Merge, error) {
	if e.isWebhook() {
		return merge, nil
	}
	before, err := openCredentials(s.Sealer, org, &e)
	if err != nil {
		return nil, err
	}
	c, err := s.merged(org, &e, merge)
	if err != nil {
		return nil, err
	}
	if err := s.checkChange(&e, c); err != nil {
		return nil, err
	}
	stored, tried := e.input(before), c.settings()
	if stored.settings() == tried {
		return merge, nil
	}
	if err := s.Try(ctx, c.Input); err != nil {
		return nil, err
	}
	return func(stored json.RawMessage) (Change, error) {
		c, err := merge(stored)
		if err == nil && c.settings() != tried {
			err = apierr.New(apierr.PreconditionFailed, "The endpoint has been changed in the meantime. Read it and try again.")
		}
		return c, err
	}, nil
}
