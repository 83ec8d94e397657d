package connection

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// maxRead is the number of movements whose messages one call of poll reads.
const maxRead = 50

// position is how far the movements of an excise number are read: all until a time, and of those of the time itself until an identifier. Once all are read, the
// identifier is empty, because HMRC may add messages at the very same time.
type position struct {
	at time.Time
	id string
}

func parsePosition(p exchange.Position) position {
	at, id, _ := strings.Cut(string(p), " ")
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return position{}
	}
	return position{t, id}
}

func (p position) String() exchange.Position {
	if p.at.IsZero() {
		return ""
	}
	return exchange.Position(strings.TrimSpace(p.at.UTC().Format(time.RFC3339Nano) + " " + p.id))
}

// after reports whether a movement is not read yet.
func (p position) after(m movementapi.Movement) bool {
	return cmp.Or(m.LastUpdated.Compare(p.at), strings.Compare(m.ID, p.id)) > 0 || p.id == "" && m.LastUpdated.Equal(p.at)
}

// poll reads the messages to an excise number, of the movements that changed since a position. All messages of such a movement are read, because
// HMRC may add one with an earlier time; those that are stored already are not stored again.
func (ch channel) poll(ctx context.Context, c exchange.Caller, from exchange.Position) (f exchange.Fetched, err error) {
	p := parsePosition(from)
	if p.at.After(c.Now.Add(time.Minute)) {
		p = position{} // a test clock was set back
	}
	all, err := ch.client.Movements(ctx, caller(c), movementapi.Query{ERN: c.Identifier, UpdatedSince: p.at})
	if err != nil {
		return f, err
	}
	all = slices.DeleteFunc(all, func(m movementapi.Movement) bool { return !p.after(m) })
	sorting.Stable(all, func(a, b movementapi.Movement) int {
		return cmp.Or(a.LastUpdated.Compare(b.LastUpdated), strings.Compare(a.ID, b.ID))
	})
	if f.More = len(all) > maxRead; f.More {
		all = all[:maxRead]
	}
	for _, m := range all {
		if err := ch.read(ctx, c, m.ID, &f); err != nil {
			return exchange.Fetched{}, err
		}
		p = position{m.LastUpdated, m.ID}
	}
	if !f.More {
		p.id = ""
	}
	f.Position = p.String()
	return f, nil
}

// read adds the messages of a movement to the caller's number. The same message may be there twice.
func (ch channel) read(ctx context.Context, c exchange.Caller, movement string, f *exchange.Fetched) error {
	all, err := ch.client.Messages(ctx, caller(c), movement, time.Time{})
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Recipient != c.Identifier {
			continue
		}
		f.Messages = append(f.Messages, exchange.Received{
			ID: movement + "/" + m.ID, Kind: string(m.Kind), Correlation: movement, MediaType: mediaType, Raw: m.Document, At: m.CreatedOn,
		})
	}
	return nil
}
