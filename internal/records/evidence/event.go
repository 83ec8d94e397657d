package evidence

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// eventPage is the number of events per read.
const eventPage = 200

// recordQuery returns a query for the events of a record, limited to one more than a pack can have.
func recordQuery(id string) audit.Query { return audit.Query{ResourceID: id, Limit: MaxEvents + 1} }

// provedEvent is an event in the pack: every field as it was hashed, the hashes, and the inclusion proof.
type provedEvent struct {
	Sequence     int64    `json:"sequence"`
	ID           string   `json:"id"`
	OccurredAt   string   `json:"occurredAt"`
	Hub          string   `json:"hub"`
	EventType    string   `json:"eventType"`
	ResourceType string   `json:"resourceType"`
	ResourceID   string   `json:"resourceId"`
	FromStatus   string   `json:"fromStatus"`
	ToStatus     string   `json:"toStatus"`
	ActorUserID  string   `json:"actorUserId"`
	ActorType    string   `json:"actorType"`
	KeyID        string   `json:"keyId"`
	RequestID    string   `json:"requestId"`
	IPAddress    string   `json:"ipAddress"`
	Data         string   `json:"data"` // as text, since the text was hashed
	PreviousHash string   `json:"previousHash"`
	Hash         string   `json:"hash"`
	Proof        []string `json:"proof"`

	Personal []personalValue `json:"personal,omitempty"` // values whose hashes are in the event
}

// personalValue is a personal value of an event; value and salt are null once it was erased.
type personalValue struct {
	Name  string  `json:"name"`
	Value *string `json:"value"`
	Salt  *string `json:"salt"`
}

func personalValuesOf(e *audit.Event) (all []personalValue) {
	for _, p := range e.Personal {
		h := personalValue{Name: p.Name}
		if !p.Erased() {
			h.Value, h.Salt = &p.Value, &p.Salt
		}
		all = append(all, h)
	}
	return all
}

func newProvedEvent(t *audit.Tree, e *audit.Event, size int64) (provedEvent, error) {
	p := provedEvent{
		Sequence: e.Sequence, ID: e.ID, OccurredAt: audit.Instant(e.OccurredAt), Hub: e.Hub, EventType: e.Type,
		ResourceType: e.ResourceType, ResourceID: e.ResourceID, FromStatus: e.FromStatus, ToStatus: e.ToStatus,
		ActorUserID: e.ActorUserID, ActorType: string(e.ActorType), KeyID: e.KeyID, RequestID: e.RequestID, IPAddress: e.IPAddress,
		Data: string(e.Data), PreviousHash: e.PreviousHash, Hash: e.Hash, Proof: []string{}, Personal: personalValuesOf(e),
	}
	path, err := t.Inclusion(e.Sequence, size)
	for _, h := range path {
		p.Proof = append(p.Proof, hex.EncodeToString(h[:]))
	}
	return p, err
}

// eachEvent calls fn for the record's events up to the checkpoint, oldest first. Each page is
// read in its own transaction, which is safe since events never change.
func (p *pack) eachEvent(ctx context.Context, fn func(*audit.Tree, *audit.Event) error) error {
	for after := int64(0); ; {
		var page []audit.Event
		err := p.view(ctx, func(tx Tx) (err error) {
			if page, err = tx.EventsOf(p.filing.ID, after, p.checkpoint.Sequence, eventPage); err != nil {
				return err
			}
			tree := audit.NewTree(tx)
			for i := range page {
				if err := fn(tree, &page[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(page) < eventPage {
			return err
		}
		after = page[len(page)-1].Sequence
	}
}

// list writes a JSON object with one list, one element per line.
type list struct {
	w           io.Writer
	hasElements bool
}

func newList(w io.Writer, name string) (*list, error) {
	_, err := io.WriteString(w, `{"`+name+`":[`)
	return &list{w: w}, err
}

func (l *list) add(element any) error {
	line, err := json.Marshal(element)
	if err != nil {
		return err
	}
	between := "\n"
	if l.hasElements {
		between = ",\n"
	}
	l.hasElements = true
	_, err = l.w.Write(append([]byte(between), line...))
	return err
}

func (l *list) end() error {
	_, err := io.WriteString(l.w, "\n]}\n")
	return err
}

func (p *pack) writeEvents(ctx context.Context, w io.Writer) error {
	l, err := newList(w, "events")
	if err != nil {
		return err
	}
	err = p.eachEvent(ctx, func(t *audit.Tree, e *audit.Event) error {
		one, err := newProvedEvent(t, e, p.checkpoint.Sequence)
		if err != nil {
			return err
		}
		return l.add(one)
	})
	if err != nil {
		return err
	}
	return l.end()
}
