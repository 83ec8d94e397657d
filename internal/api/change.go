package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	idempotencyHeader    = "Idempotency-Key"
	maxIdempotencyLength = 255
)

// claim is a caller's idempotency key, with the digest of the call.
type claim struct{ caller, key, digest string }

// keep stores the first answer to the claim.
func (c claim) keep(tx idempotency.Tx, status int, body string, kept time.Duration) error {
	return tx.KeepAnswer(c.caller, c.key, idempotency.Answer{Digest: c.digest, Status: status, Body: body}, kept)
}

// claimOf reads the key of a call; the empty one claims nothing.
func claimOf(c *caller, body []byte) (claim, error) {
	if details := badKey(c.request); details != nil {
		return claim{}, apierr.Invalid(details...)
	}
	key := c.request.Header.Get(idempotencyHeader)
	if key == "" {
		return claim{}, nil
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, c.request.Method+" "+c.request.URL.Path+"\n")
	_, _ = sum.Write(body)
	return claim{c.call.Caller(), key, hex.EncodeToString(sum.Sum(nil))}, nil
}

// badKey is what is wrong with the idempotency key of a request.
func badKey(r *http.Request) []apierr.Detail {
	values := r.Header.Values(idempotencyHeader)
	if len(values) == 0 {
		return nil
	}
	unprintable := func(r rune) bool { return r < ' ' || r > '~' }
	if key := values[0]; len(values) == 1 && key != "" && len(key) <= maxIdempotencyLength && !strings.ContainsFunc(key, unprintable) {
		return nil
	}
	return []apierr.Detail{{Field: idempotencyHeader, Message: "must be 1 to 255 printable ASCII characters"}}
}

// change runs fn in a transaction of the caller's organisation and keeps its
// answer there, so that a repeat of the call gets the same one.
func (s *Server) change(ctx context.Context, c *caller, body []byte, fn func(Tx) (reply, error)) (out reply, err error) {
	return s.changeAs(ctx, c, body, inPlain{}, fn)
}

// changeSealed is change for an answer with a secret in it, which is kept encrypted.
func (s *Server) changeSealed(ctx context.Context, c *caller, body []byte, fn func(Tx) (reply, error)) (out reply, err error) {
	return s.changeAs(ctx, c, body, sealed{s.Sealer, c.call.Org}, fn)
}

func (s *Server) changeAs(ctx context.Context, c *caller, body []byte, form form, fn func(Tx) (reply, error)) (out reply, err error) {
	mine, err := claimOf(c, body)
	if err != nil {
		return reply{}, err
	}
	end, err := s.begin(c, mine)
	if err != nil {
		return reply{}, err
	}
	defer end()
	err = s.Store.Update(ctx, c.call.Org, func(tx Tx) error {
		replayed, found, err := recall(tx, mine)
		if err != nil {
			return err
		}
		if found {
			out = replayed
			out.Body, err = form.read(string(replayed.Body))
			return err
		}
		if out, err = fn(tx); err != nil || mine.key == "" {
			return err
		}
		text, err := form.write(out.Body)
		if err != nil {
			return err
		}
		return mine.keep(tx, out.Status, text, form.kept())
	})
	return out, err
}

// form is how an answer is kept.
type form interface {
	write(body []byte) (string, error)
	read(text string) ([]byte, error)
	kept() time.Duration
}

type inPlain struct{}

func (inPlain) write(body []byte) (string, error) { return string(body), nil }
func (inPlain) read(text string) ([]byte, error)  { return []byte(text), nil }
func (inPlain) kept() time.Duration               { return idempotency.Kept }

// sealed is the form of an answer with a secret in it.
type sealed struct {
	webhook.Sealer
	org tenant.ID
}

func (f sealed) write(body []byte) (string, error) {
	closed, err := f.Encrypt(body, f.owner())
	return base64.StdEncoding.EncodeToString(closed), err
}

func (f sealed) read(text string) ([]byte, error) {
	closed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return f.Decrypt(closed, f.owner())
}

func (sealed) kept() time.Duration { return idempotency.KeptSecret }

func (f sealed) owner() []byte { return []byte("tidewaiter kept answer\n" + string(f.org)) }

// begin refuses a call whose first is still under way.
func (s *Server) begin(c *caller, mine claim) (end func(), err error) {
	if mine.key == "" {
		return func() {}, nil
	}
	return s.running.Begin(string(c.call.Org) + " " + mine.caller + " " + mine.key)
}

// recall is the first answer to a claim, if there is one.
func recall(tx idempotency.Tx, mine claim) (reply, bool, error) {
	if mine.key == "" {
		return reply{}, false, nil
	}
	a, found, err := idempotency.Recall(tx, mine.caller, mine.key, mine.digest)
	return reply{Status: a.Status, Body: []byte(a.Body), Replayed: "true"}, found, err
}
