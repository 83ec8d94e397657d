package store

import (
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// What a page of the trail costs does not grow with the trail, whatever the filters:
//
//   - Bounds in time become bounds of the sequence, by bisection over the primary key,
//     since times in a trail never run backwards.
//   - The trail is a braid of strands, the events of one Hub and type, of one actor or
//     of all. A strand lies in order in one of two indexes, so a page is a merge of the
//     strands that fit the filters, which reads from each no more than it gives to the page.
//   - There are as many strands as there are types of event, some dozens, however
//     long the trail is. Leaping from one to the next in the index lists them.

// span is a part of the trail: first and all that follow, up to before.
type span struct{ first, before int64 }

// strand is the Hub and type of events.
type strand struct{ hub, kind string }

// Events reads a page of the trail, newest first.
func (t *Tx) Events(q audit.Query) ([]audit.Event, error) {
	page := make([]audit.Event, 0, min(q.Limit, maxPrepared))
	query, args, err := t.sequences(q)
	if err != nil || query == "" {
		return page, err
	}
	err = t.rows("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND sequence IN ("+query+") ORDER BY sequence DESC", args, func(r *sql.Rows) error {
		e, err := scanEvent(r)
		page = append(page, e)
		return err
	})
	return page, err
}

// maxPrepared is the room for events that is made before any is read.
const maxPrepared = 256

// CountEvents counts the events that a query finds, its limit at most.
func (t *Tx) CountEvents(q audit.Query) (n int, err error) {
	query, args, err := t.sequences(q)
	if err != nil || query == "" {
		return 0, err
	}
	_, err = t.row("SELECT COUNT(*) FROM ("+query+") AS found", args, &n)
	return n, err
}

// sequences makes the statement that finds the events of a query; the empty one
// finds nothing. It reads an index alone, and SQLite is sure to take the right one.
func (t *Tx) sequences(q audit.Query) (query string, args []any, err error) {
	part, err := t.spanOf(q)
	if err != nil {
		return "", nil, err
	}
	where := "SELECT sequence FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence < $3"
	args = []any{part.first, part.before, q.Limit}
	const end = " ORDER BY sequence DESC LIMIT $4" + computed
	if q.ResourceID != "" {
		return where + " AND resource_id = $5" + end, append(args, q.ResourceID), nil
	}
	if q.Hub == "" && q.Type == "" && q.ActorUserID == "" {
		return where + end, args, nil
	}
	strands, err := t.strands(q)
	if err != nil || strands == nil {
		return "", nil, err
	}
	if q.ActorUserID != "" {
		where += " AND actor_user_id = $5"
		args = append(args, q.ActorUserID)
	}
	merged := make([]string, len(strands))
	for i, s := range strands {
		args = append(args, s.hub, s.kind)
		merged[i] = where + fmt.Sprintf(" AND hub = $%d AND type = $%d", len(args), len(args)+1)
	}
	return "SELECT sequence FROM (" + strings.Join(merged, " UNION ALL ") + end + ") AS merged", args, nil
}

// spanOf turns bounds in time into bounds of the sequence.
func (t *Tx) spanOf(q audit.Query) (s span, err error) {
	s = span{1, math.MaxInt64}
	if q.Before > 0 {
		s.before = q.Before
	}
	if !q.From.IsZero() {
		if s.first, err = t.firstSince(q.From); err != nil {
			return s, err
		}
	}
	if !q.To.IsZero() {
		after, err := t.firstSince(q.To.Truncate(time.Millisecond).Add(time.Millisecond))
		if err != nil {
			return s, err
		}
		s.before = min(s.before, after)
	}
	return s, nil
}

// firstSince is the sequence of the first event at or after an instant, or the one
// that the next event will have.
func (t *Tx) firstSince(at time.Time) (sequence int64, err error) {
	_, err = t.row("SELECT low FROM (WITH RECURSIVE half (low, high) AS ("+
		"SELECT CAST(1 AS BIGINT), (SELECT COALESCE(MAX(sequence), 0) + 1 FROM events WHERE org_id = $1) UNION ALL "+
		"SELECT CASE WHEN occurred_at < $2 THEN (low + high) / 2 + 1 ELSE low END, CASE WHEN occurred_at < $2 THEN high ELSE (low + high) / 2 END "+
		"FROM half LEFT JOIN events ON org_id = $1 AND sequence = (low + high) / 2 WHERE low < high) "+
		"SELECT low, high FROM half) AS halves WHERE low = high", []any{instant(storableTime(at))}, &sequence)
	if err != nil {
		return 0, fmt.Errorf("store: bounds of the trail: %w", err)
	}
	return sequence, nil
}

// storableTime is an instant to the millisecond, not before the given one, within
// the years that both databases know.
func storableTime(at time.Time) time.Time {
	at = at.UTC().Add(time.Millisecond - time.Nanosecond).Truncate(time.Millisecond)
	switch year := at.Year(); {
	case year < firstYear:
		return time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	case year > lastYear:
		return time.Date(lastYear, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return at
}

// Years in which events are sought.
const firstYear, lastYear = 1970, 9999

// strands lists the strands of the trail that fit a query.
func (t *Tx) strands(q audit.Query) (fit []strand, err error) {
	if q.Hub != "" && q.Type != "" {
		return []strand{{q.Hub, q.Type}}, nil
	}
	within, args := "org_id = $1", []any{}
	only := func(column, value string) {
		if value != "" {
			args = append(args, value)
			within += fmt.Sprintf(" AND %s = $%d", column, len(args)+1)
		}
	}
	only("actor_user_id", q.ActorUserID)
	only("hub", q.Hub)
	next := func(further, order string) string {
		return "(SELECT sequence FROM events WHERE " + within + further + " ORDER BY " + order + ", sequence LIMIT 1)"
	}
	nextType, nextHub := next(" AND hub = here.hub AND type > here.type", "type"), next(" AND hub > here.hub", "hub, type")
	step := "COALESCE(" + nextType + ", " + nextHub + ")"
	if q.Hub != "" {
		step = nextType
	} else if q.Type != "" {
		step = nextHub
	}
	err = t.rows("SELECT at.hub, at.type FROM (WITH RECURSIVE leap (sequence) AS (SELECT "+next("", "hub, type")+" UNION ALL "+
		"SELECT "+step+" FROM leap JOIN events here ON here.org_id = $1 AND here.sequence = leap.sequence) "+
		"SELECT sequence FROM leap WHERE sequence IS NOT NULL) AS landed "+
		"LEFT JOIN events at ON at.org_id = $1 AND at.sequence = landed.sequence", args, func(r *sql.Rows) error {
		var s strand
		err := r.Scan(&s.hub, &s.kind)
		if q.Type != "" {
			s.kind = q.Type
		}
		fit = append(fit, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: strands of the trail: %w", err)
	}
	return fit, nil
}
