package audit

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	// MaxExported is the most events in one export.
	MaxExported = 10_000
	// exportPage is the number of events that one transaction reads.
	exportPage = 500
	// maxScanned is the most events that are searched for a filter without an index.
	maxScanned = 100_000
)

// Exporter writes parts of a trail.
type Exporter struct {
	Store Store
	NewID func() string
}

// Extract is the part of a trail that is to be written, newest first.
type Extract struct {
	Truncated bool // there are more events than it has

	store Store
	org   tenant.ID
	query Query
}

// Begin counts the events and records the export in the trail. The extract holds what was in the
// trail before.
func (x *Exporter) Begin(ctx context.Context, call tenant.Call, q Query) (*Extract, error) {
	found := 0
	err := x.Store.ViewTrail(ctx, call.Org, func(t Trail) error {
		newest, err := t.Events(Query{Limit: 1})
		if err != nil || len(newest) == 0 {
			return err
		}
		q.Before, q.Limit = newest[0].Sequence+1, MaxExported+1
		if q.NeedsScan() {
			q.After = max(q.After, newest[0].Sequence-maxScanned)
		}
		found, err = t.CountEvents(q)
		return err
	})
	if err != nil {
		return nil, err
	}
	q.Limit = min(found, MaxExported)
	e := &Extract{Truncated: found > MaxExported || q.After > 0, store: x.Store, org: call.Org, query: q}
	data, err := json.Marshal(e.details())
	if err != nil {
		return nil, err
	}
	event := By(call, Event{ID: x.NewID(), Hub: defaultHub, Type: Exported, ResourceType: resourceType, Data: data})
	return e, x.Store.UpdateTrail(ctx, call.Org, func(r Recorder) error { return r.Record(event) })
}

// details returns the data of the audit event of an export.
func (e *Extract) details() map[string]any {
	details := map[string]any{"count": e.query.Limit, "truncated": e.Truncated}
	for name, value := range map[string]string{
		"hub": e.query.Hub, "eventType": e.query.Type, "actorUserId": e.query.ActorUserID, "group": e.query.Group.Name,
		"keyId": e.query.KeyID, "aboutRequestId": e.query.RequestID, "recordId": e.query.ResourceID,
	} {
		if value != "" {
			details[name] = value
		}
	}
	if !e.query.From.IsZero() {
		details["startDate"] = Instant(e.query.From)
	}
	if !e.query.To.IsZero() {
		details["endDate"] = Instant(e.query.To)
	}
	return details
}

// CSV writes the extract as a table with a header row of the names of the fields.
func (e *Extract) CSV(ctx context.Context, out io.Writer) error {
	w := csvio.NewWriter(out)
	if err := w.Row(columns...); err != nil {
		return err
	}
	err := e.each(ctx, func(event *Event) error { return w.Row(event.cells()...) })
	if err != nil {
		return err
	}
	return w.Flush()
}

// Lines writes the extract as JSON Lines: one event per line, as the API shows it.
func (e *Extract) Lines(ctx context.Context, out io.Writer) error {
	var line []byte
	return e.each(ctx, func(event *Event) error {
		line = append(event.AppendJSON(line[:0]), '\n')
		_, err := out.Write(line)
		return err
	})
}

// each reads the events page by page, each page in a short transaction of its own. A trail only
// grows, so the pages fit together.
func (e *Extract) each(ctx context.Context, fn func(*Event) error) error {
	q := e.query
	for left := q.Limit; left > 0; {
		q.Limit = min(left, exportPage)
		var page []Event
		if err := e.store.ViewTrail(ctx, e.org, func(t Trail) (err error) { page, err = t.Events(q); return err }); err != nil {
			return err
		}
		if len(page) == 0 {
			return io.ErrUnexpectedEOF
		}
		for i := range page {
			if err := fn(&page[i]); err != nil {
				return err
			}
		}
		left -= len(page)
		q.Before = page[len(page)-1].Sequence
	}
	return nil
}

// columns are the names and the order of the fields in JSON.
var columns = []string{
	"id", "sequence", "occurredAt", "hub", "eventType", "resourceType", "resourceId", "fromStatus", "toStatus",
	"actorUserId", "actorType", "keyId", "requestId", "ipAddress", "data", "hash", "previousHash", "personal",
}

// optional are the columns that are null in JSON if they are empty.
var optional = map[string]bool{"fromStatus": true, "toStatus": true, "keyId": true, "requestId": true, "ipAddress": true, "previousHash": true}

// cells returns the values of the columns, with personal values shown or marked as erased.
func (e *Event) cells() []string {
	shown, personal := e.Shown(), ""
	if all := e.ShowPersonal(); all != nil {
		text, _ := json.Marshal(all)
		personal = string(text)
	}
	data := string(shown.Data)
	if data == "" {
		data = "{}"
	}
	return []string{
		e.ID, strconv.FormatInt(e.Sequence, 10), Instant(e.OccurredAt), e.Hub, e.Type, e.ResourceType, e.ResourceID, e.FromStatus, e.ToStatus,
		e.ActorUserID, string(e.ActorType), e.KeyID, e.RequestID, shown.IPAddress, data, e.Hash, e.PreviousHash, personal,
	}
}

// AppendJSON appends the event as the API shows it. Its data has the bytes that were hashed,
// except that personal values are shown.
func (e *Event) AppendJSON(dst []byte) []byte {
	for i, cell := range e.cells() {
		if columns[i] == "personal" && cell == "" {
			continue
		}
		dst = append(dst, `{,`[min(i, 1)])
		dst = append(append(append(dst, '"'), columns[i]...), `":`...)
		switch name := columns[i]; {
		case name == "sequence" || name == "data" || name == "personal":
			dst = append(dst, cell...)
		case cell == "" && optional[name]:
			dst = append(dst, "null"...)
		default:
			quoted, _ := json.Marshal(cell)
			dst = append(dst, quoted...)
		}
	}
	return append(dst, '}')
}
