package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// calendarType is the content type of the calendar feed (RFC 5545, section 8.1).
const calendarType = "text/calendar; charset=utf-8"

// FeedState is the state of the caller's calendar feed.
type FeedState struct {
	Enabled   bool    `json:"enabled" doc:"Whether the caller has a feed"`
	Hint      *string `json:"hint" doc:"Last four characters of its token" example:"a1B2"`
	CreatedAt *string `json:"createdAt" format:"date-time" doc:"When it was created"`
}

// openFeedBody is FeedState with the address, which is shown once.
type openFeedBody struct {
	FeedState
	URL   string `json:"url" doc:"Address to subscribe to. Everyone who has it can read the calendar. It is shown only once" example:"https://tidewaiter.example/api/deadlines.ics?token=cal_…"`
	Token string `json:"token" doc:"Token in the address, which is shown only once" example:"cal_…"`
}

type feedInput struct {
	caller
	Token string `query:"token" required:"true" maxLength:"64" doc:"The token of the feed, cal_…"`
	None  string `header:"If-None-Match" maxLength:"1000" doc:"ETag of an earlier response; 304 if it is still current"`
	Since string `header:"If-Modified-Since" maxLength:"64" doc:"Last-Modified of an earlier response; 304 if nothing changed since. If-None-Match takes precedence"`
}

func (s *Server) mountFeed() {
	closed := objectSchema("feed", s.schemaOf(reflect.TypeFor[FeedState]()))
	handle(s, operation{
		id: "get-deadline-feed", summary: "Get the state of the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: "/api/deadlines/feed",
		status: http.StatusOK, description: "The state of the caller's calendar feed", response: closed,
	}, s.getFeed)
	handle(s, operation{
		id: "create-deadline-feed", summary: "Create or replace the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodPost, path: "/api/deadlines/feed",
		status: http.StatusCreated, description: "The caller's new feed with its address. The previous one stops working at once",
		response: objectSchema("feed", s.schemaOf(reflect.TypeFor[openFeedBody]())), idempotent: true, rehearsed: true, withheld: []string{"feed.url", "feed.token"}, route: route{role: tenant.Member},
	}, s.createFeed)
	handle(s, operation{
		id: "delete-deadline-feed", summary: "Revoke the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodDelete, path: "/api/deadlines/feed",
		status: http.StatusOK, description: "The state of the feed, whose address stops working at once", response: closed, errors: []int{404}, route: route{role: tenant.Member},
	}, s.deleteFeed)
	handle(s, operation{
		id: "get-deadline-calendar", summary: "Get the deadlines as a calendar", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: deadline.FeedPath,
		status: http.StatusOK, description: "The deadlines of every enabled Hub within a year, as iCalendar (RFC 5545)", contentType: "text/calendar",
		response: &huma.Schema{Type: huma.TypeString}, conditional: true, route: route{feed: true},
	}, s.serveFeed)
}

func (s *Server) getFeed(ctx context.Context, in *struct{ caller }) (response, error) {
	var f access.Feed
	var found bool
	if err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { f, found, err = tx.Feed(in.call.UserID); return err }); err != nil {
		return response{}, err
	}
	if !found {
		return objectResponse("feed", FeedState{})
	}
	return objectResponse("feed", feedOf(f))
}

func feedOf(f access.Feed) FeedState {
	return FeedState{Enabled: true, Hint: &f.Hint, CreatedAt: orNull(audit.Instant(f.CreatedAt))}
}

func (s *Server) createFeed(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		f, token, err := s.Access.MakeFeed(tx, in.call)
		if err != nil {
			return response{}, err
		}
		r, err := objectResponse("feed", openFeedBody{feedOf(f), s.Deadlines.FeedAddress(token), token})
		r.Status = http.StatusCreated
		return r, err
	})
}

func (s *Server) deleteFeed(ctx context.Context, in *struct{ caller }) (response, error) {
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Access.RevokeFeed(tx, in.call) }); err != nil {
		return response{}, err
	}
	return objectResponse("feed", FeedState{})
}

// serveFeed returns the calendar, or 304 if the caller has the current version.
func (s *Server) serveFeed(ctx context.Context, in *feedInput) (out response, err error) {
	out = response{Status: http.StatusOK, Type: calendarType, Cache: "private, no-cache"}
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		modified, err := s.Deadlines.ModifiedAt(tx)
		if err != nil {
			return err
		}
		if at := ceilSecond(modified); at.Before(tx.Now()) {
			out.Modified = at.UTC().Format(http.TimeFormat)
			if since, err := http.ParseTime(in.Since); err == nil && in.None == "" && !at.After(since) {
				out.Status = http.StatusNotModified
				return nil
			}
		}
		out.Body, err = s.Deadlines.Feed(tx)
		return err
	})
	if err != nil || out.Status == http.StatusNotModified {
		return out, err
	}
	sum := sha256.Sum256(out.Body)
	out.ETag = `"` + hex.EncodeToString(sum[:16]) + `"`
	if matchesETag(in.None, out.ETag) {
		out.Status, out.Body = http.StatusNotModified, nil
	}
	return out, nil
}

// ceilSecond rounds up to a whole second. Last-Modified counts seconds, so a second must be over
// before it is named: the calendar could still change within it.
func ceilSecond(t time.Time) time.Time {
	whole := t.Truncate(time.Second)
	if whole.Before(t) {
		whole = whole.Add(time.Second)
	}
	return whole
}

// matchesETag reports whether an If-None-Match header matches an ETag (RFC 9110, section 13.1.2).
func matchesETag(header, etag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == etag {
			return true
		}
	}
	return false
}
