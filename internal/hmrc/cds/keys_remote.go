package cds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

const (
	keysMaxAge       = 10 * time.Minute // age until which a set is used without a new fetch
	keysMaxStale     = 24 * time.Hour   // age until which it is used if the issuer does not answer
	minFetchInterval = 30 * time.Second // minimum time between two fetches
	fetchTimeout     = 5 * time.Second  // of a fetch
)

var errKeysPaused = errors.New("cds: the key set was asked for a moment ago")

// RemoteKeys are the keys at an issuer's JWKS address. They are fetched when first needed, again after ten minutes, and
// at once for an unknown key ID, but at most every 30 seconds: forged tokens must not cause many requests to the
// issuer. If the issuer does not answer, the last set is used for a day.
type RemoteKeys struct {
	url       string
	client    *http.Client
	now       func() time.Time
	set       atomic.Pointer[keySet]
	fetching  chan struct{} // held during a fetch
	lastFetch time.Time     // guarded by fetching
}

// keySet is a fetched set; it does not change.
type keySet struct {
	keys    []key
	fetched time.Time
}

// NewRemoteKeys makes RemoteKeys; it fetches nothing yet.
func NewRemoteKeys(url string, now func() time.Time) *RemoteKeys {
	r := &RemoteKeys{url: url, client: client.NewHTTP(1, nil), now: now, fetching: make(chan struct{}, 1)}
	r.set.Store(&keySet{})
	return r
}

func (r *RemoteKeys) find(ctx context.Context, id string) ([]key, error) {
	ring := r.set.Load()
	known := withID(ring.keys, id)
	age := r.now().Sub(ring.fetched)
	if len(known) > 0 && age < keysMaxAge {
		return known, nil
	}
	usable := len(known) > 0 && age < keysMaxStale
	if err := r.renew(ctx, ring, !usable); err != nil {
		if usable {
			return known, nil
		}
		return nil, err
	}
	return withID(r.set.Load().keys, id), nil
}

// renew fetches the set unless another caller has replaced the set that was seen.
// Without queue it does not wait for another fetch.
func (r *RemoteKeys) renew(ctx context.Context, seen *keySet, queue bool) error {
	if err := r.lock(ctx, queue); err != nil {
		return err
	}
	defer func() { <-r.fetching }()
	if r.set.Load() != seen {
		return nil
	}
	now := r.now()
	if now.Sub(r.lastFetch) < minFetchInterval {
		return errKeysPaused
	}
	r.lastFetch = now
	keys, err := r.fetch(ctx)
	if err != nil {
		return fmt.Errorf("cds: fetching the key set: %w", err)
	}
	r.set.Store(&keySet{keys: keys, fetched: now})
	return nil
}

func (r *RemoteKeys) lock(ctx context.Context, queue bool) error {
	select {
	case r.fetching <- struct{}{}:
		return nil
	default:
	}
	if !queue {
		return errKeysPaused
	}
	select {
	case r.fetching <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fetch does not end with the caller, so that a caller that hangs up cannot waste the single fetch in 30 seconds.
func (r *RemoteKeys) fetch(ctx context.Context) ([]key, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the issuer answered %s", response.Status)
	}
	jwks, err := io.ReadAll(io.LimitReader(response.Body, maxKeySet+1))
	if err != nil {
		return nil, err
	}
	return parseKeys(jwks)
}
