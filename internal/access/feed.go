package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Feed is the calendar feed of a user in an organisation. Calendar programs send no headers, so
// the token is part of the feed's address. It is valid for the feed only, and only its hash is
// stored.
type Feed struct {
	ID        string
	UserID    string
	Hash      string // SHA-256 of the token, hex
	Hint      string // last four characters of the token
	CreatedAt time.Time
}

// feedPrefix distinguishes the token of a feed from a key.
const feedPrefix = "cal_"

// NewFeedToken returns a token in the format of a key's secret.
func NewFeedToken(ids *ident.Source) string { return newSecret(feedPrefix, ids) }

// WellformedFeed reports whether text has the form of a feed's token.
func WellformedFeed(text string) bool { return wellformed(feedPrefix, text) }

// MakeFeed creates the caller's feed and its token, and replaces an existing feed.
func (s *Service) MakeFeed(tx Tx, call tenant.Call) (Feed, string, error) {
	if err := s.noteMember(tx, call, call.UserID); err != nil {
		return Feed{}, "", err
	}
	replaced, err := tx.RemoveFeed(call.UserID)
	if err != nil {
		return Feed{}, "", err
	}
	token := NewFeedToken(s.IDs)
	f := Feed{ID: s.IDs.UUID(), UserID: call.UserID, Hash: Hash(token), Hint: hint(token), CreatedAt: tx.Now()}
	if err := tx.AddFeed(f); err != nil {
		return Feed{}, "", err
	}
	return f, token, s.record(tx, call, FeedCreated, "feed", f.ID, map[string]any{"hint": f.Hint, "replaced": replaced})
}

// RevokeFeed deletes the caller's feed.
func (s *Service) RevokeFeed(tx Tx, call tenant.Call) error {
	f, found, err := tx.Feed(call.UserID)
	if err != nil {
		return err
	}
	if !found {
		return apierr.Missing()
	}
	if _, err := tx.RemoveFeed(call.UserID); err != nil {
		return err
	}
	return s.record(tx, call, FeedRevoked, "feed", f.ID, map[string]any{"hint": f.Hint})
}
