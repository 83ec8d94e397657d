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

// calendarType is the content type of the feed (RFC 5545, section 8.1).
const calendarType = "text/calendar; charset=utf-8"

// FeedState is the caller's calendar feed as it is shown.
type FeedState struct {
	Enabled   bool    `json:"enabled" doc:"Whether the caller has a feed"`
	Hint      *string `json:"hint" doc:"Last four characters of its token" example:"a1B2"`
	CreatedAt *string `json:"createdAt" format:"date-time" doc:"When it was made"`
}

// openFeedBody also tells, this once, where the feed is.
type openFeedBody struct {
	FeedState
	URL   string `json:"url" doc:"The address to subscribe to; whoever has it can read the calendar. It is shown this once" example:"https://tidewaiter.example/api/deadlines.ics?token=cal_…"`
	Token string `json:"token" doc:"The token in the address. It is shown this once" example:"cal_…"`
}

type feedInput struct {
	caller
	Token string `query:"token" required:"true" maxLength:"64" doc:"The token of the feed, cal_…"`
	None  string `header:"If-None-Match" maxLength:"1000" doc:"ETag of an earlier answer; 304 when it still holds"`
	Since string `header:"If-Modified-Since" maxLength:"64" doc:"Last-Modified of an earlier answer; 304 when nothing has changed since. If-None-Match outweighs it"`
}

func (s *Server) mountFeed() {
	closed := under("feed", s.schemaOf(reflect.TypeFor[FeedState]()))
	handle(s, operation{
		id: "get-deadline-feed", summary: "Get the state of the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: "/api/deadlines/feed",
		status: http.StatusOK, about: "Whether the caller has a feed", answer: closed,
	}, s.getFeed)
	handle(s, operation{
		id: "create-deadline-feed", summary: "Make or replace the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodPost, path: "/api/deadlines/feed",
		status: http.StatusCreated, about: "The caller's new feed, with its address; the one before is closed at once",
		answer: under("feed", s.schemaOf(reflect.TypeFor[openFeedBody]())), once: true, gate: route{role: tenant.Member},
	}, s.createFeed)
	handle(s, operation{
		id: "delete-deadline-feed", summary: "Revoke the calendar feed", tag: "Deadlines", scope: foundational, method: http.MethodDelete, path: "/api/deadlines/feed",
		status: http.StatusOK, about: "The feed is closed at once", answer: closed, errors: []int{404}, gate: route{role: tenant.Member},
	}, s.deleteFeed)
	handle(s, operation{
		id: "get-deadline-calendar", summary: "Subscribe to what is due", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: deadline.FeedPath,
		status: http.StatusOK, about: "What is due in every enabled Hub within a year, as iCalendar (RFC 5545)", contentType: "text/calendar",
		answer: &huma.Schema{Type: huma.TypeString}, unchanged: true, gate: route{feed: true},
	}, s.serveFeed)
}

func (s *Server) getFeed(ctx context.Context, in *struct{ caller }) (reply, error) {
	var f access.Feed
	var found bool
	if err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { f, found, err = tx.Feed(in.call.UserID); return err }); err != nil {
		return reply{}, err
	}
	if !found {
		return wrapped("feed", FeedState{})
	}
	return wrapped("feed", feedOf(f))
}

func feedOf(f access.Feed) FeedState {
	return FeedState{Enabled: true, Hint: &f.Hint, CreatedAt: orNull(audit.Instant(f.CreatedAt))}
}

func (s *Server) createFeed(ctx context.Context, in *struct{ caller }) (reply, error) {
	return s.changeSealed(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		f, token, err := s.Access.MakeFeed(tx, in.call)
		if err != nil {
			return reply{}, err
		}
		r, err := wrapped("feed", openFeedBody{feedOf(f), s.Deadlines.FeedAddress(token), token})
		r.Status = http.StatusCreated
		return r, err
	})
}

func (s *Server) deleteFeed(ctx context.Context, in *struct{ caller }) (reply, error) {
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Access.RevokeFeed(tx, in.call) }); err != nil {
		return reply{}, err
	}
	return wrapped("feed", FeedState{})
}

// serveFeed answers the calendar, or that the caller has it already.
func (s *Server) serveFeed(ctx context.Context, in *feedInput) (out reply, err error) {
	out = reply{Status: http.StatusOK, Type: calendarType, Cache: "private, no-cache"}
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		modified, err := s.Deadlines.ModifiedAt(tx)
		if err != nil {
			return err
		}
		if at := wholeSecond(modified); at.Before(tx.Now()) {
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
	if names(in.None, out.ETag) {
		out.Status, out.Body = http.StatusNotModified, nil
	}
	return out, nil
}

// wholeSecond is the second that an instant lies in or ends with. Last-Modified
// counts in seconds: a second may be named only when it is over, since what is
// served within it may still change within it.
func wholeSecond(t time.Time) time.Time {
	whole := t.Truncate(time.Second)
	if whole.Before(t) {
		whole = whole.Add(time.Second)
	}
	return whole
}

// names tells whether an If-None-Match names an ETag (RFC 9110, section 13.1.2).
func names(header, etag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == etag {
			return true
		}
	}
	return false
}
