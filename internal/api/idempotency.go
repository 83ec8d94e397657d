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

// idempotencyKey is the idempotency key of a call, its caller, and the digest of the request.
type idempotencyKey struct{ caller, key, digest string }

// save stores the first response for the key, with its body as text.
func (c idempotencyKey) save(tx idempotency.Tx, r response, text string, kept time.Duration) error {
	a := idempotency.Answer{Digest: c.digest, Status: r.Status, Body: text, Version: r.version}
	return tx.SaveAnswer(c.caller, c.key, a, kept)
}

// idempotencyKeyOf reads the idempotency key of a call; the result has an empty key if there is none.
func idempotencyKeyOf(c *caller, body []byte) (idempotencyKey, error) {
	if details := checkIdempotencyKey(c.request); details != nil {
		return idempotencyKey{}, apierr.Invalid(details...)
	}
	key := c.request.Header.Get(idempotencyHeader)
	if row := batchRowOf(c.request.Context()); row != nil {
		key = row.idempotencyKey()
	}
	if key == "" {
		return idempotencyKey{}, nil
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, c.request.Method+" "+c.request.URL.Path+"\n")
	_, _ = sum.Write(body)
	return idempotencyKey{c.call.Caller(), key, hex.EncodeToString(sum.Sum(nil))}, nil
}

// checkIdempotencyKey returns what is wrong with the Idempotency-Key header.
func checkIdempotencyKey(r *http.Request) []apierr.Detail {
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

// updateOnce runs fn in a transaction of the caller's organisation and stores its response in the same
// transaction. A repeated call with the same idempotency key gets the stored response.
func (s *Server) updateOnce(ctx context.Context, c *caller, body []byte, fn func(Tx) (response, error)) (out response, err error) {
	return s.updateOnceAs(ctx, c, body, plainForm{}, fn)
}

// updateOnceSecret is updateOnce for a response that contains a secret, which is stored encrypted.
func (s *Server) updateOnceSecret(ctx context.Context, c *caller, body []byte, fn func(Tx) (response, error)) (out response, err error) {
	return s.updateOnceAs(ctx, c, body, encryptedForm{s.Sealer, c.call.Org}, fn)
}

func (s *Server) updateOnceAs(ctx context.Context, c *caller, body []byte, form storedForm, fn func(Tx) (response, error)) (out response, err error) {
	if row := batchRowOf(c.request.Context()); row != nil {
		return s.updateRow(ctx, row, fn)
	}
	if c.op.rehearsed && c.dryRun() {
		return s.tryOut(ctx, c, fn)
	}
	idem, err := idempotencyKeyOf(c, body)
	if err != nil {
		return response{}, err
	}
	end, err := s.beginCall(c, idem)
	if err != nil {
		return response{}, err
	}
	defer end()
	err = s.Store.Update(ctx, c.call.Org, func(tx Tx) error {
		replayed, found, err := storedResponse(tx, idem)
		if err != nil {
			return err
		}
		if found {
			out = replayed
			out.Body, err = form.decode(string(replayed.Body))
			return err
		}
		if out, err = fn(tx); err != nil || idem.key == "" {
			return err
		}
		text, err := form.encode(out.Body)
		if err != nil {
			return err
		}
		return idem.save(tx, out, text, form.ttl())
	})
	return out, err
}

// storedForm is how a response is stored, and for how long.
type storedForm interface {
	encode(body []byte) (string, error)
	decode(text string) ([]byte, error)
	ttl() time.Duration
}

type plainForm struct{}

func (plainForm) encode(body []byte) (string, error) { return string(body), nil }
func (plainForm) decode(text string) ([]byte, error) { return []byte(text), nil }
func (plainForm) ttl() time.Duration                 { return idempotency.TTL }

// encryptedForm stores a response encrypted with the organisation as associated data.
type encryptedForm struct {
	webhook.Sealer
	org tenant.ID
}

func (f encryptedForm) encode(body []byte) (string, error) {
	closed, err := f.Encrypt(body, f.associatedData())
	return base64.StdEncoding.EncodeToString(closed), err
}

func (f encryptedForm) decode(text string) ([]byte, error) {
	closed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return f.Decrypt(closed, f.associatedData())
}

func (encryptedForm) ttl() time.Duration { return idempotency.SecretTTL }

func (f encryptedForm) associatedData() []byte {
	return []byte("tidewaiter kept answer\n" + string(f.org))
}

// beginCall returns an error if a call with the same idempotency key is in progress.
func (s *Server) beginCall(c *caller, idem idempotencyKey) (end func(), err error) {
	if idem.key == "" {
		return func() {}, nil
	}
	return s.running.Begin(string(c.call.Org) + " " + idem.caller + " " + idem.key)
}

// storedResponse returns the stored response for an idempotency key, if there is one.
func storedResponse(tx idempotency.Tx, idem idempotencyKey) (response, bool, error) {
	if idem.key == "" {
		return response{}, false, nil
	}
	a, found, err := idempotency.Recall(tx, idem.caller, idem.key, idem.digest)
	return recordResponse(response{Status: a.Status, Body: []byte(a.Body), Replayed: "true"}, a.Version), found, err
}

// answered returns the stored response for the idempotency key of a call, if there is one.
func (s *Server) answered(ctx context.Context, c *caller, idem idempotencyKey) (out response, found bool, err error) {
	err = s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) { out, found, err = storedResponse(tx, idem); return err })
	return out, found, err
}

// orAnswered returns the stored response for the key of a call that failed with err, or else err: the call fails if another
// instance finishes the same one meanwhile, as one does that is killed while it commits.
func (s *Server) orAnswered(ctx context.Context, c *caller, idem idempotencyKey, err error) (response, error) {
	if idem.key == "" {
		return response{}, err
	}
	var first response
	found := false
	// A change that fails is answered before the changes that it saw in the shared transaction are committed, so that only another change sees them for certain.
	readErr := s.Store.Update(ctx, c.call.Org, func(tx Tx) (err error) { first, found, err = storedResponse(tx, idem); return err })
	if readErr == nil && found {
		return first, nil
	}
	return response{}, err
}
