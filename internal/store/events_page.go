package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The cost of a page does not grow with the trail, whatever the filters:
//
//   - Bounds in time become bounds of the sequence, by bisection over the primary key,
//     because times in a trail never run backwards.
//   - The log consists of ranges: the events of one Hub and type, of one actor, or all of them.
//     Each range is in order in one of two indexes. From each range, at most a page of the newest
//     events that match the filters is read, and these are merged.
//   - There are as many ranges as types of event, some dozens, however long the trail is. They
//     are listed by jumping from one to the next in the index.
//
// The statements leave no choice to the query planners: none joins the trail with a list that
// the planner could expect to be long, and each range has its own limit.

// sequenceSpan is a range of sequences: first included, before excluded.
type sequenceSpan struct{ first, before int64 }

// indexRange is a Hub and event type, whose events are in order in one index.
type indexRange struct{ hub, kind string }

// Events reads a page of the trail, newest first.
func (t *Tx) Events(q audit.Query) (page []audit.Event, err error) {
	keep := func(e audit.Event) { page = append(page, e) }
	if !mergesRanges(q) {
		query, args, err := t.rangeQuery(q, eventColumns)
		if err != nil {
			return nil, err
		}
		return page, t.eachOf(query, args, keep)
	}
	found, err := t.sequences(q)
	for chunk := range slices.Chunk(found, maxFetch) {
		if err != nil {
			break
		}
		err = t.fetch(chunk, keep)
	}
	return page, err
}

// mergesRanges reports whether a query merges several index ranges.
func mergesRanges(q audit.Query) bool {
	return q.ResourceID == "" && len(q.ResourceIDs) == 0 && (q.Hub != "" || q.Type != "" || q.ActorUserID != "" || q.Group.Matches != nil)
}

// CountEvents counts the events that match a query, at most up to its limit.
func (t *Tx) CountEvents(q audit.Query) (int, error) {
	found, err := t.sequences(q)
	return len(found), err
}

// maxFetch is the number of events that one statement reads.
const maxFetch = 256

// fetch reads events by their sequence, newest first. It names each of them, so that
// no database mistakes how many there are and reads the whole trail; lists are filled
// up to a few lengths with their last, so that there are few statements to prepare. The
// query has no order, for which PostgreSQL would read the whole trail instead of a sort.
func (t *Tx) fetch(sequences []int64, fn func(audit.Event)) error {
	length := paddedLength(len(sequences))
	args, names := make([]any, length), make([]string, length)
	for i := range args {
		args[i], names[i] = sequences[min(i, len(sequences)-1)], fmt.Sprintf("$%d", i+2)
	}
	page := make([]audit.Event, 0, len(sequences))
	err := t.eachOf("SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND sequence IN ("+strings.Join(names, ", ")+")", args,
		func(e audit.Event) { page = append(page, e) })
	if err != nil {
		return err
	}
	sorting.Stable(page, func(a, b audit.Event) int { return cmp.Compare(b.Sequence, a.Sequence) })
	for i := range page {
		fn(page[i])
	}
	return nil
}

func (t *Tx) eachOf(query string, args []any, fn func(audit.Event)) error {
	return t.rows(query, args, func(r engine.Row) error {
		e, err := scanEvent(r)
		fn(e)
		return err
	})
}

// sequences finds the events of a query, newest first.
func (t *Tx) sequences(q audit.Query) (found []int64, err error) {
	query, args, err := t.search(q)
	if err != nil || query == "" {
		return nil, err
	}
	err = t.rows(query, args, func(r engine.Row) error {
		var sequence int64
		err := r.Scan(&sequence)
		found = append(found, sequence)
		return err
	})
	return found, err
}

const newestFirst = " ORDER BY sequence DESC LIMIT $4" + computed

// rangeQuery returns the statement of a query that reads one range of an index. A record has few
// events, so they are found by the record: "+ 0" keeps SQLite from scanning the whole trail by
// sequence instead.
func (t *Tx) rangeQuery(q audit.Query, columns string) (query string, args []any, err error) {
	part, err := t.sequenceRange(q)
	query = "SELECT " + columns + " FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence < $3"
	if q.ResourceID != "" || len(q.ResourceIDs) > 0 {
		query = "SELECT " + columns + " FROM events WHERE org_id = $1 AND sequence + 0 >= $2 AND sequence + 0 < $3"
	}
	args = []any{part.first, part.before, q.Limit}
	query, args = withCondition(query, args, "resource_id", q.ResourceID)
	query, args = withOneOf(query, args, "resource_id", q.ResourceIDs)
	query, args = withCondition(query, args, "key_id", q.KeyID)
	query, args = withCondition(query, args, "request_id", q.RequestID)
	return query + newestFirst, args, err
}

// withCondition adds a condition to a statement, if there is one.
func withCondition(query string, args []any, column, value string) (string, []any) {
	if value == "" {
		return query, args
	}
	args = append(args, value)
	return query + fmt.Sprintf(" AND %s = $%d", column, len(args)+1), args
}

// withOneOf adds the condition that a column has one of some values, if there are any.
func withOneOf(query string, args []any, column string, values []string) (string, []any) {
	if len(values) == 0 {
		return query, args
	}
	list, args := listOf(args, values)
	return query + " AND " + column + " IN " + list, args
}

// listOf adds values to the arguments of a statement whose first one is the organisation, and returns their list.
func listOf(args []any, values []string) (string, []any) {
	marks := make([]string, paddedLength(len(values)))
	for i := range marks {
		args = append(args, values[min(i, len(values)-1)])
		marks[i] = fmt.Sprintf("$%d", len(args)+1)
	}
	return "(" + strings.Join(marks, ", ") + ")", args
}

// paddedLength rounds the length of a list up, so that there are few statements to prepare.
func paddedLength(n int) int {
	length := 1
	for length < n {
		length *= 4
	}
	return length
}

// search returns the statement that finds the events of a query; an empty one if no event can
// match. It selects only the sequence, so that it reads only an index.
func (t *Tx) search(q audit.Query) (query string, args []any, err error) {
	if !mergesRanges(q) {
		return t.rangeQuery(q, "sequence")
	}
	ranges, err := t.matchingIndexes(q)
	if err != nil || len(ranges) == 0 {
		return "", nil, err
	}
	part, err := t.sequenceRange(q)
	where := "SELECT sequence FROM (SELECT sequence FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence < $3"
	args = []any{part.first, part.before, q.Limit}
	where, args = withCondition(where, args, "actor_user_id", q.ActorUserID)
	where, args = withCondition(where, args, "key_id", q.KeyID)
	where, args = withCondition(where, args, "request_id", q.RequestID)
	merged := make([]string, len(ranges))
	for i, s := range ranges {
		args = append(args, s.hub, s.kind)
		merged[i] = where + fmt.Sprintf(" AND hub = $%d AND type = $%d", len(args), len(args)+1) + newestFirst + ") AS one_range"
	}
	return strings.Join(merged, " UNION ALL ") + newestFirst, args, err
}

// sequenceRange converts bounds in time to bounds of the sequence.
func (t *Tx) sequenceRange(q audit.Query) (s sequenceSpan, err error) {
	s = sequenceSpan{1 + q.After, math.MaxInt64}
	if q.Before > 0 {
		s.before = q.Before
	}
	if !q.From.IsZero() {
		since, err := t.firstSince(q.From)
		if err != nil {
			return s, err
		}
		s.first = max(s.first, since)
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

// longestTrail is the number of events that bisection reaches, a power of two: 2³².
const longestTrail = "4294967296"

// firstSince returns the sequence of the first event at or after an instant, or that of the next event if there is none.
// It is a binary search along the sequence, from the event after which the trail starts. Each step reads one event, and
// the number of steps is the same for every trail.
func (t *Tx) firstSince(at time.Time) (sequence int64, err error) {
	_, err = t.row("SELECT latest + 1 FROM (WITH RECURSIVE descent (step, latest) AS ("+
		"SELECT CAST("+longestTrail+" AS BIGINT), COALESCE((SELECT c.sequence FROM trail_cuts c WHERE c.org_id = $1), CAST(0 AS BIGINT)) UNION ALL SELECT step / 2, latest + CASE WHEN "+
		"(SELECT occurred_at < $2 FROM events WHERE org_id = $1 AND sequence = latest + step) THEN step ELSE 0 END "+
		"FROM descent WHERE step > 0) SELECT step, latest FROM descent) AS steps WHERE step = 0", []any{instant(storableTime(at))}, &sequence)
	if err != nil {
		return 0, fmt.Errorf("store: bounds of the trail: %w", err)
	}
	return sequence, nil
}

// storableTime returns a time truncated to the millisecond, not before the given one, within the
// years that both databases support.
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

// Years in which events are searched.
const firstYear, lastYear = 1970, 9999

// matchingIndexes returns the Hubs and types that match a query.
func (t *Tx) matchingIndexes(q audit.Query) (fit []indexRange, err error) {
	if q.Hub != "" && q.Type != "" {
		fit = []indexRange{{q.Hub, q.Type}}
	} else if fit, err = t.skipScan(q); err != nil {
		return nil, err
	}
	if q.Group.Matches != nil {
		fit = slices.DeleteFunc(fit, func(s indexRange) bool { return !q.Group.Matches(s.kind) })
	}
	return fit, nil
}

// skipScan finds the Hubs and types of a query by jumping from one to the next in the index.
func (t *Tx) skipScan(q audit.Query) (fit []indexRange, err error) {
	within, args := withCondition("org_id = $1", nil, "actor_user_id", q.ActorUserID)
	within, args = withCondition(within, args, "hub", q.Hub)
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
		"LEFT JOIN events at ON at.org_id = $1 AND at.sequence = landed.sequence", args, func(r engine.Row) error {
		var s indexRange
		err := r.Scan(&s.hub, &s.kind)
		if q.Type != "" {
			s.kind = q.Type
		}
		fit = append(fit, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: event types of the audit log: %w", err)
	}
	return fit, nil
}
