package stock

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// word is a text that differs in every copy.
type word struct {
	text  string
	fresh func(m *maker, older time.Duration) string
}

// record is what the service wrote about one thing: its rows in every table, and its events.
type record struct {
	words  []word // those of the organisation first, which a copy shares with others
	rows   map[string][][]cell
	events []eventTemplate
	at     time.Time
}

// cell is a value of a row: a phrase, an instant that is shifted, or a constant.
type cell struct {
	phrase phrase
	value  any
}

// happening is an event with the parts that differ in its copies.
type eventTemplate struct {
	audit.Event
	id, resource, key, data phrase
}

// copied is a copy of a record.
type copied struct {
	words []string
	rows  map[string][][]any
}

// copy creates a copy whose words begin with the given ones, older than the pattern, and appends its events to a
// trail.
func (r *record) copy(m *maker, given []string, older time.Duration, t *chain) copied {
	c := copied{words: append(make([]string, 0, len(r.words)), given...), rows: make(map[string][][]any, len(r.rows)+1)}
	for _, w := range r.words[len(given):] {
		c.words = append(c.words, w.fresh(m, older))
	}
	for table, rows := range r.rows {
		for _, cells := range rows {
			row := make([]any, len(cells))
			for i := range cells {
				row[i] = cells[i].with(c.words, older)
			}
			c.rows[table] = append(c.rows[table], row)
		}
	}
	for i := range r.events {
		c.rows["events"] = append(c.rows["events"], t.seal(r.events[i].with(c.words, older), c.body(m)))
	}
	return c
}

// body is the body of the filing, if the record is one.
func (c *copied) body(m *maker) string {
	if filings := c.rows["filings"]; len(filings) == 1 {
		return filings[0][m.bodyColumn].(string)
	}
	return ""
}

func (c *cell) with(words []string, older time.Duration) any {
	if at, ok := c.value.(time.Time); ok {
		return at.Add(-older)
	}
	if c.value == nil && len(c.phrase.pieces) > 0 {
		return c.phrase.with(words)
	}
	return c.value
}

func (h *eventTemplate) with(words []string, older time.Duration) audit.Event {
	e := h.Event
	e.ID, e.ResourceID, e.KeyID = h.id.with(words), h.resource.with(words), h.key.with(words)
	e.OccurredAt, e.Data = h.OccurredAt.Add(-older), json.RawMessage(h.data.with(words))
	return e
}

// chain is the end of an organisation's hash chain.
type chain struct {
	org      tenant.ID
	sequence int64
	hash     string
}

// seal appends an event and returns its row. The event of a creation contains the digest of the body.
func (t *chain) seal(e audit.Event, body string) []any {
	if body != "" && strings.HasPrefix(string(e.Data), `{"sha256":`) {
		sum := sha256.Sum256([]byte(body))
		e.Data = json.RawMessage(`{"sha256":"` + hex.EncodeToString(sum[:]) + `"}`)
	}
	e.Seal(t.org, t.sequence, t.hash)
	t.sequence, t.hash = e.Sequence, e.Hash
	return []any{
		string(t.org), e.Sequence, e.ID, e.OccurredAt, e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, e.IPAddress, string(e.Data), e.Hash, e.PreviousHash,
	}
}

// eventColumns are the columns of seal's rows.
var eventColumns = strings.Fields("org_id sequence id occurred_at hub type resource_type resource_id from_status to_status " +
	"actor_user_id actor_type key_id request_id ip_address data hash previous_hash")

var instants = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)

// instantsIn are the words of the instants in a text.
func instantsIn(text string) (words []word) {
	for _, found := range instants.FindAllString(text, -1) {
		at, err := time.Parse(time.RFC3339, found)
		if err != nil {
			continue
		}
		words = append(words, word{found, func(_ *maker, older time.Duration) string { return audit.Instant(at.Add(-older)) }})
	}
	return words
}
