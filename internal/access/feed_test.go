package access_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// The token of a feed is not accepted as a key, nor a key as the token of a feed.
func TestFeedToken(t *testing.T) {
	token, key := access.NewFeedToken(source(5)), access.NewSecret(source(5))
	if !strings.HasPrefix(token, "cal_") || !access.WellformedFeed(token) || access.Wellformed(token) || access.WellformedFeed(key) {
		t.Errorf("token %q, key %q", token, key)
	}
	if token[4:] != key[4:] || access.Hash(token) == access.Hash(key) {
		t.Error("the hash does not cover the prefix")
	}
	if got := access.NewFeedToken(ident.NewSource(bytes.NewReader(make([]byte, 64)), nil)); got != "cal_"+strings.Repeat("0", 26)+"3vSKjy" {
		t.Errorf("known token %q", got)
	}
	for i := range token {
		if wrong := token[:i] + "~" + token[i+1:]; access.WellformedFeed(wrong) {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

// A feed gives the access of a VIEWER until it is replaced or revoked. Its audit events do not
// contain the token.
func TestFeed(t *testing.T) {
	each(t, func(h *fixture) {
		find := func(token string) (access.Holder, bool) {
			h.Helper()
			holder, found, err := h.store.FeedByHash(ctx, access.Hash(token))
			if err != nil {
				h.Fatal(err)
			}
			return holder, found
		}
		issue := func() (f access.Feed, token string) {
			h.Helper()
			h.must(h.org, func(tx *store.Tx) (err error) { f, token, err = h.service.MakeFeed(tx, h.call()); return err })
			return f, token
		}
		err := h.try(h.org, func(tx *store.Tx) error { return h.service.RevokeFeed(tx, h.call()) })
		if !apierr.Is(err, apierr.NotFound) {
			h.Errorf("revoking without a feed: %v", err)
		}
		first, token := issue()
		if holder, found := find(token); !found || holder.Principal() != (tenant.Principal{Org: h.org, UserID: h.owner, Role: tenant.Viewer, Type: tenant.ByUser}) || !holder.Hubs.Has("customs") {
			h.Errorf("found %t: %+v", found, holder)
		}
		if first.Hash != access.Hash(token) || first.Hint != token[len(token)-4:] || !first.CreatedAt.Equal(nine) {
			h.Errorf("feed %+v", first)
		}
		if _, found, _ := h.store.KeyByHash(ctx, access.Hash(token)); found {
			h.Error("the token of a feed is accepted as a key")
		}
		if _, found := find(h.founded.Secret); found {
			h.Error("a key is accepted as the token of a feed")
		}
		second, next := issue()
		if _, found := find(token); found || second.ID == first.ID {
			h.Error("the replaced feed still works")
		}
		if _, found := find(next); !found {
			h.Error("the new feed does not work")
		}
		h.must(h.org, func(tx *store.Tx) error { return h.service.RevokeFeed(tx, h.call()) })
		if _, found := find(next); found {
			h.Error("a revoked feed still works")
		}
		var events []audit.Event
		h.must(h.org, func(tx *store.Tx) (err error) { events, err = tx.Events(audit.Query{Limit: 3}); return err })
		for i, want := range []string{"feed.revoked " + second.ID, "feed.created " + second.ID, "feed.created " + first.ID} {
			if got := events[i].Type + " " + events[i].ResourceID; got != want || strings.Contains(string(events[i].Data), next[4:30]) {
				h.Errorf("event %d: %s %s", i, got, events[i].Data)
			}
		}
		if string(events[1].Data) != `{"hint":"`+second.Hint+`","replaced":true}` {
			h.Errorf("data %s", events[1].Data)
		}
	})
}
