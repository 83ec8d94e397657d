package haulier

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// maxRead is the number of records that one call of Poll reads.
const maxRead = 50

// Channel returns the channel of one system of GVMS.
func (h *Haulier) Channel(mode exchange.Mode, c *api.Client) *exchange.Channel {
	ch := &exchange.Channel{
		Mode:    mode,
		Prepare: func(ctx context.Context, by exchange.Caller) error { return h.held.load(ctx, c, by) },
		Send: func(ctx context.Context, by exchange.Caller, m *exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
			return h.send(ctx, c, by, m, repeated)
		},
		Poll: func(ctx context.Context, by exchange.Caller, from exchange.Position) (exchange.Fetched, error) {
			return poll(ctx, c, by, from)
		},
	}
	if mode != exchange.Simulator {
		ch.Gap = api.PullInterval
	}
	return ch
}

// looks is how often a record whose creation had no answer is looked for before it is created again, with delays of 2, 10 and 60
// seconds. HMRC lists a record seconds after it has accepted it, and the first request may still be on its way: its process may have
// lost the job to another one.
const looks = 3

var errNotListed = errors.New("haulier: HMRC does not list the record yet")

// send sends a message. HMRC does not recognise a creation that it has, so a repeated one is looked for first.
func (h *Haulier) send(ctx context.Context, c *api.Client, by exchange.Caller, m *exchange.Message, repeated bool) outbox.Result[exchange.Receipt] {
	if m.Purpose == toDelete {
		o := c.Delete(ctx, by.Credentials, m.Correlation, by.Asked)
		if refused, ok := o.(client.Refused); ok && repeated && refused.IsMissing() {
			o = api.Accepted{}
		}
		return exchange.ResultOf(h.authority, o, exchange.Receipt{})
	}
	var r api.Record
	if err := json.Unmarshal(m.Raw, &r); err != nil {
		return exchange.ResultOf(h.authority, client.Unreachable{Cause: err}, exchange.Receipt{})
	}
	if m.Purpose == toUpdate {
		return exchange.ResultOf(h.authority, c.Update(ctx, by.Credentials, m.Correlation, r, by.Asked), exchange.Receipt{})
	}
	if repeated {
		id, failure := search(ctx, c, by, m.FilingID, contentOf(r))
		switch {
		case failure != nil:
			return outbox.Result[exchange.Receipt]{State: outbox.Unknown, Cause: failure}
		case id != "":
			return exchange.ResultOf(h.authority, api.Accepted{}, exchange.Receipt{Names: []string{id}})
		case m.Attempts < looks:
			return outbox.Result[exchange.Receipt]{State: outbox.Unknown, Cause: errNotListed}
		}
	}
	return exchange.ResultOf(h.authority, c.Create(ctx, by.Credentials, r, by.Asked), exchange.Receipt{})
}

// search returns the number of HMRC's record of a filing: one that is known to be its, or one with some content that belongs to no
// other filing; empty for none.
func search(ctx context.Context, c *api.Client, by exchange.Caller, filing, content string) (string, error) {
	all, failure := c.List(ctx, by.Credentials, by.Asked)
	if failure != nil {
		return "", failure
	}
	for _, s := range all {
		known, err := by.Find(ctx, s.ID)
		if err != nil {
			return "", err
		}
		switch known {
		case "":
		case filing:
			return s.ID, nil
		default:
			continue
		}
		m, failure := c.Movement(ctx, by.Credentials, s.ID, by.Asked)
		if failure != nil {
			return "", failure
		}
		if contentOf(m.Record) == content {
			return s.ID, nil
		}
	}
	return "", nil
}

// poll reads the records of the account that changed since a position, which is the time of the latest change that was read. Those
// of the very same time are read again, because more may have changed then.
func poll(ctx context.Context, c *api.Client, by exchange.Caller, from exchange.Position) (f exchange.Fetched, err error) {
	all, failure := c.List(ctx, by.Credentials, by.Asked)
	if failure != nil {
		return f, failure
	}
	since := string(from)
	if at, err := time.Parse(time.RFC3339, since); err == nil && at.After(by.Now) {
		since = "" // a test clock was set back
	}
	all = slices.DeleteFunc(all, func(s api.Summary) bool { return s.Updated < since })
	sorting.Stable(all, func(a, b api.Summary) int {
		return cmp.Or(strings.Compare(a.Updated, b.Updated), strings.Compare(a.ID, b.ID))
	})
	f.Position = exchange.Position(since)
	held := "" // position of the first record to read again
	for _, s := range all {
		if len(f.Messages) >= maxRead && s.Updated > string(f.Position) {
			f.More = true
			break
		}
		raw, failure := c.MovementBytes(ctx, by.Credentials, s.ID, by.Asked)
		if refused, ok := failure.(client.Refused); ok && refused.IsMissing() {
			continue // deleted meanwhile
		}
		if failure != nil {
			return f, failure
		}
		in := received(s, raw)
		f.Messages, f.Position = append(f.Messages, in), exchange.Position(s.Updated)
		if at, _ := time.Parse(time.RFC3339, s.Updated); held == "" && in.Kind == unreadable && by.Now.Sub(at) < patience {
			held = s.Updated
		}
	}
	if held != "" && !f.More {
		f.Position = exchange.Position(held)
	}
	return f, nil
}

const (
	// unreadable is the kind of a record that is not in HMRC's form. It is kept too.
	unreadable = "unreadable"
	// patience is how long an unreadable record is read again after its change.
	patience = time.Hour
)

// received returns a record as a message. A version of it is one message.
func received(s api.Summary, raw []byte) (in exchange.Received) {
	var m api.Movement
	if json.Unmarshal(raw, &m) != nil || m.ID != s.ID {
		return exchange.Received{ID: s.ID + "/" + s.Updated, Kind: unreadable, Correlation: s.ID, MediaType: mediaType, Raw: raw}
	}
	in = exchange.Received{ID: m.ID + "/" + cmp.Or(version(m.Metadata.Version), m.Metadata.Updated), Kind: string(m.Metadata.State), Correlation: m.ID, MediaType: mediaType, Raw: raw}
	in.At, _ = time.Parse(time.RFC3339, m.Metadata.Updated)
	return in
}

// version returns the number of a version; empty for none.
func version(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
