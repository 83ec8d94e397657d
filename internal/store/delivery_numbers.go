package store

import (
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// counted are the numbers of deliveries that transactions have changed, by organisation. They are collected for a whole commit,
// which stores one row for each organisation; the numbers themselves are brought up to date later.
type counted map[tenant.ID]*countedOf

type countedOf struct {
	id      string // of the row
	changes numbers.Changes
}

// of returns the changes of an organisation.
func (c *counted) of(org tenant.ID, id string) *countedOf {
	if *c == nil {
		*c = counted{}
	}
	if (*c)[org] == nil {
		(*c)[org] = &countedOf{id: id}
	}
	return (*c)[org]
}

// addAll adds what a transaction has collected.
func (c *counted) addAll(more counted) {
	for org, its := range more {
		c.of(org, its.id).changes.Add(its.changes)
	}
}

const addChanges = "INSERT INTO delivery_changes (org_id, id, body) VALUES ($1, $2, $3)"

func (c counted) write(q engine.Conn) error {
	checkScope(addChanges)
	for _, org := range slices.Sorted(maps.Keys(c)) {
		if err := q.ExecDeferred(addChanges, []any{string(org), c[org].id, c[org].changes.Append(nil)}); err != nil {
			return wrapError("count deliveries", err)
		}
	}
	return nil
}

// count returns the counts of an endpoint and type at a time, to be added to; without an endpoint, of all.
func (t *Tx) count(org tenant.ID, endpointID, eventType string, at time.Time) *numbers.Counts {
	if t.counted[org] == nil {
		t.counted.of(org, t.newID())
	}
	return t.counted[org].changes.At(numbers.Series{EndpointID: endpointID, EventType: eventType}, at)
}

// countAttempt counts the result of an attempt, unless earlier attempts are still to be counted: then it is counted with them. If
// two instances finish the same attempt, both count it.
func (t *Tx) countAttempt(org tenant.ID, d *webhook.Delivery) {
	t.tallies.delivery(org, d, t.now)
	if !d.Uncounted {
		d.CountAttempt(t.count(org, d.EndpointID, d.EventType, d.CreatedAt), d.HTTPStatus, true)
	}
}

// allEndpoints stands for all endpoints in stored numbers.
const allEndpoints = nilID

// DeliveryNumbers reads stored numbers of a period and endpoint, of a type if one is given.
func (t *Tx) DeliveryNumbers(q webhook.NumbersQuery, each func(numbers.Place, numbers.Slots) error) error {
	var args parameters
	where := "n.org_id = $1 AND n.endpoint_id = " + args.add(orNil(q.EndpointID))
	if q.EachEndpoint {
		where = "n.org_id = $1 AND n.endpoint_id IN (SELECT e.id FROM endpoints e WHERE e.org_id = $1)"
		args = nil
	}
	where += " AND n.span = " + args.add(string(q.Span)) + " AND n.at >= " + args.add(instant(q.From)) + " AND n.at < " + args.add(instant(q.To))
	if !q.EachType {
		where += " AND n.event_type = " + args.add(q.EventType)
	}
	err := t.rows("SELECT n.endpoint_id, n.event_type, n.at, n.body FROM delivery_numbers n WHERE "+where, args, func(r engine.Row) error {
		p, body := numbers.Place{Span: q.Span}, []byte(nil)
		if err := r.Scan(&p.EndpointID, &p.EventType, (*instant)(&p.At), &body); err != nil {
			return err
		}
		if p.EndpointID == allEndpoints {
			p.EndpointID = ""
		}
		slots, err := numbers.ParseSlots(body)
		if err != nil {
			return err
		}
		return each(p, slots)
	})
	return wrapError("numbers of deliveries", err)
}

// DeliveryChanges reads some of the changes that the stored numbers do not have yet, oldest first, with the ids of their rows.
func (t *Tx) DeliveryChanges(limit int) (c numbers.Changes, ids []string, err error) {
	err = t.rows("SELECT id, body FROM delivery_changes WHERE org_id = $1 ORDER BY id LIMIT $2"+computed, []any{limit}, func(r engine.Row) error {
		var id string
		var body []byte
		if err := r.Scan(&id, &body); err != nil {
			return err
		}
		ids = append(ids, id)
		return c.Read(body)
	})
	return c, ids, wrapError("changes of numbers", err)
}

// AddNumbers adds to the stored numbers, and removes the changes that they have from then on.
func (t *Tx) AddNumbers(rows map[numbers.Place]numbers.Slots, ids []string) error {
	places := slices.Collect(maps.Keys(rows))
	for some := range slices.Chunk(places, maxFetch) {
		if err := t.readNumbers(some, rows); err != nil {
			return err
		}
	}
	for _, p := range places {
		err := t.execDeferred("INSERT INTO delivery_numbers (org_id, endpoint_id, span, at, event_type, body) VALUES ($1, $2, $3, $4, $5, $6) "+
			"ON CONFLICT (org_id, endpoint_id, span, at, event_type) DO UPDATE SET body = excluded.body",
			orNil(p.EndpointID), string(p.Span), instant(p.At), p.EventType, rows[p].Append(nil))
		if err != nil {
			return wrapError("add numbers", err)
		}
	}
	for _, id := range ids {
		if err := t.execDeferred("DELETE FROM delivery_changes WHERE org_id = $1 AND id = $2", id); err != nil {
			return wrapError("add numbers", err)
		}
	}
	return nil
}

// readNumbers adds the stored numbers of places to rows.
func (t *Tx) readNumbers(places []numbers.Place, rows map[numbers.Place]numbers.Slots) error {
	queries := make([]engine.Statement, len(places))
	for i, p := range places {
		queries[i] = engine.Statement{
			Query: "SELECT body FROM delivery_numbers WHERE org_id = $1 AND endpoint_id = $2 AND span = $3 AND at = $4 AND event_type = $5",
			Args:  []any{orNil(p.EndpointID), string(p.Span), instant(p.At), p.EventType},
		}
	}
	err := t.rowsOfAll(queries, func(query int, r engine.Row) error {
		var body []byte
		if err := r.Scan(&body); err != nil {
			return err
		}
		stored, err := numbers.ParseSlots(body)
		for part, counts := range stored {
			rows[places[query]].Add(part, counts)
		}
		return err
	})
	return wrapError("stored numbers", err)
}

// isUncounted is the condition of an index.
const isUncounted = "COALESCE(counted, -1) < attempts"

// CountEarlier counts some of the deliveries and attempts that an earlier release has stored.
func (t *Tx) CountEarlier(limit int) error {
	var all []webhook.Measured
	err := t.rows("SELECT id, endpoint_id, event_type, notice_id, cause, status, attempts, COALESCE(counted, -1), http_status, created_at, delivered_at, failures "+
		"FROM deliveries WHERE org_id = $1 AND "+isUncounted+" LIMIT $2"+computed, []any{limit}, func(r engine.Row) error {
		var m webhook.Measured
		err := r.Scan(&m.ID, &m.EndpointID, &m.EventType, &m.EventID, &m.Cause, &m.Status, &m.Attempts, &m.Counted, &m.HTTPStatus,
			(*instant)(&m.CreatedAt), (*instant)(&m.DeliveredAt), &m.Failures)
		all = append(all, m)
		return err
	})
	for i := range all {
		if err == nil {
			err = t.countEarlier(&all[i])
		}
	}
	return wrapError("count earlier deliveries", err)
}

// countEarlier counts a delivery unless it has got another attempt since it was read.
func (t *Tx) countEarlier(m *webhook.Measured) error {
	n, err := t.exec("UPDATE deliveries SET counted = attempts WHERE org_id = $1 AND id = $2 AND attempts = $3 AND "+isUncounted, m.ID, m.Attempts)
	if err != nil || n == 0 {
		return err
	}
	m.CountRest(t.count(t.org, m.EndpointID, m.EventType, m.CreatedAt))
	if m.Counted >= 0 || m.Cause == webhook.ByResend {
		return nil
	}
	n, err = t.exec("UPDATE notices SET counted = TRUE WHERE org_id = $1 AND id = $2 AND counted IS NULL", m.EventID)
	if n == 1 {
		t.count(t.org, "", m.EventType, m.CreatedAt).AddEvents(1)
	}
	return err
}
