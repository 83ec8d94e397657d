package evidence

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// eventPage is how many events are read at a time.
const eventPage = 200

// ofRecord asks for the events of a record, one more than a pack holds.
func ofRecord(id string) audit.Query { return audit.Query{ResourceID: id, Limit: MaxEvents + 1} }

// proved is an event as the pack has it: every field as it was hashed, and the hashes
// beside its way to the root.
type proved struct {
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
	Data         string   `json:"data"` // the text itself, since that was hashed
	PreviousHash string   `json:"previousHash"`
	Hash         string   `json:"hash"`
	Proof        []string `json:"proof"`

	Personal []hidden `json:"personal,omitempty"` // what the event holds hashes of
}

// hidden is a personal value beside an event; value and salt are null once it was erased.
type hidden struct {
	Name  string  `json:"name"`
	Value *string `json:"value"`
	Salt  *string `json:"salt"`
}

func hiddenOf(e *audit.Event) (all []hidden) {
	for _, p := range e.Personal {
		h := hidden{Name: p.Name}
		if !p.Erased() {
			h.Value, h.Salt = &p.Value, &p.Salt
		}
		all = append(all, h)
	}
	return all
}

func prove(t *audit.Tree, e *audit.Event, size int64) (proved, error) {
	p := proved{
		Sequence: e.Sequence, ID: e.ID, OccurredAt: audit.Instant(e.OccurredAt), Hub: e.Hub, EventType: e.Type,
		ResourceType: e.ResourceType, ResourceID: e.ResourceID, FromStatus: e.FromStatus, ToStatus: e.ToStatus,
		ActorUserID: e.ActorUserID, ActorType: string(e.ActorType), KeyID: e.KeyID, RequestID: e.RequestID, IPAddress: e.IPAddress,
		Data: string(e.Data), PreviousHash: e.PreviousHash, Hash: e.Hash, Proof: []string{}, Personal: hiddenOf(e),
	}
	path, err := t.Inclusion(e.Sequence, size)
	for _, h := range path {
		p.Proof = append(p.Proof, hex.EncodeToString(h[:]))
	}
	return p, err
}

// eachEvent calls fn for the record's events up to the checkpoint, oldest first, a page
// in each transaction: what has been written never changes.
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

// list writes a JSON object with one list, an element a line.
type list struct {
	w     io.Writer
	begun bool
}

func beginList(w io.Writer, name string) (*list, error) {
	_, err := io.WriteString(w, `{"`+name+`":[`)
	return &list{w: w}, err
}

func (l *list) add(element any) error {
	line, err := json.Marshal(element)
	if err != nil {
		return err
	}
	between := "\n"
	if l.begun {
		between = ",\n"
	}
	l.begun = true
	_, err = l.w.Write(append([]byte(between), line...))
	return err
}

func (l *list) end() error {
	_, err := io.WriteString(l.w, "\n]}\n")
	return err
}

func (p *pack) writeEvents(ctx context.Context, w io.Writer) error {
	l, err := beginList(w, "events")
	if err != nil {
		return err
	}
	err = p.eachEvent(ctx, func(t *audit.Tree, e *audit.Event) error {
		one, err := prove(t, e, p.checkpoint.Sequence)
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
