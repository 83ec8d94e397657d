package store

import (
	"database/sql"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// head is what a transaction has read once of an organisation: the newest event of
// its chain, and who wants to hear of changes.
type head struct {
	read        bool
	sequence    int64
	hash        string
	subscribers []subscriber // nil until they are read
}

const eventColumns = "sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, " +
	"actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash"

// Record seals an event to the end of the organisation's chain.
func (t *Tx) Record(e audit.Event) error { return t.record(&e) }

func (t *Tx) record(e *audit.Event) error {
	last, err := t.head()
	if err != nil {
		return err
	}
	e.OccurredAt = t.now
	e.Seal(t.org, last.sequence, last.hash)
	err = t.post("INSERT INTO events (org_id, "+eventColumns+") "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
		e.Sequence, e.ID, instant(e.OccurredAt), e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, e.IPAddress, string(e.Data), e.Hash, e.PreviousHash)
	if err != nil {
		return fmt.Errorf("store: record event: %w", err)
	}
	last.sequence, last.hash = e.Sequence, e.Hash
	t.heads[t.org] = last
	return nil
}

// head reads the end of the chain, once for each organisation and transaction:
// nobody else adds to it while this one is open.
func (t *Tx) head() (head, error) {
	h := t.heads[t.org]
	if h.read {
		return h, nil
	}
	_, err := t.row("SELECT sequence, hash FROM events WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1", nil, &h.sequence, &h.hash)
	if err != nil {
		return h, fmt.Errorf("store: end of the trail: %w", err)
	}
	h.read = true
	t.heads[t.org] = h
	return h, nil
}

// Events reads a page of the trail, newest first.
func (t *Tx) Events(q audit.Query) ([]audit.Event, error) {
	where, args := []string{"org_id = $1"}, []any{}
	filter := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf(condition, len(args)+1))
	}
	if q.Hub != "" {
		filter("hub = $%d", q.Hub)
	}
	if q.Type != "" {
		filter("type = $%d", q.Type)
	}
	if q.ActorUserID != "" {
		filter("actor_user_id = $%d", q.ActorUserID)
	}
	if q.ResourceID != "" {
		filter("resource_id = $%d", q.ResourceID)
	}
	if !q.From.IsZero() {
		filter("occurred_at >= $%d", instant(q.From))
	}
	if !q.To.IsZero() {
		filter("occurred_at <= $%d", instant(q.To))
	}
	if q.Before > 0 {
		filter("sequence < $%d", q.Before)
	}
	args = append(args, q.Limit)
	page := make([]audit.Event, 0, q.Limit)
	err := t.rows("SELECT "+eventColumns+" FROM events WHERE "+strings.Join(where, " AND ")+
		fmt.Sprintf(" ORDER BY sequence DESC LIMIT $%d"+computed, len(args)+1), args,
		func(r *sql.Rows) error {
			e, err := scanEvent(r)
			page = append(page, e)
			return err
		})
	return page, err
}

// EachEvent calls fn for every event of the trail, oldest first.
func (t *Tx) EachEvent(fn func(audit.Event) error) error {
	return t.rows("SELECT "+eventColumns+" FROM events WHERE org_id = $1 ORDER BY sequence", nil, func(r *sql.Rows) error {
		e, err := scanEvent(r)
		if err != nil {
			return err
		}
		return fn(e)
	})
}

func scanEvent(r *sql.Rows) (e audit.Event, err error) {
	var data string
	err = r.Scan(&e.Sequence, &e.ID, (*instant)(&e.OccurredAt), &e.Hub, &e.Type, &e.ResourceType, &e.ResourceID, &e.FromStatus, &e.ToStatus,
		&e.ActorUserID, &e.ActorType, &e.KeyID, &e.RequestID, &e.IPAddress, &data, &e.Hash, &e.PreviousHash)
	if data != "" {
		e.Data = []byte(data)
	}
	return e, err
}
