package closure

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// Kind is a kind of record in a deletion.
type Kind struct {
	Name, Hub string
	Submitted bool          // its records are submitted to an authority
	Links     []filing.Need // fields that refer to records of other kinds
	linked    bool          // another kind refers to it
}

// KindsOf returns the kinds in the order of deletion: those that are submitted, others that no kind
// refers to, and then each kind after those that refer to it.
func KindsOf(types []*filing.Type) (kinds []Kind) {
	for _, t := range types {
		kinds = append(kinds, Kind{
			Name: t.Kind, Hub: t.Hub, Links: t.Links,
			Submitted: slices.ContainsFunc(t.Lifecycle.Edges, func(e lifecycle.Edge) bool { return e.Has(lifecycle.StampSubmitted) }),
		})
	}
	depth := depths(kinds)
	for i := range kinds {
		kinds[i].linked = depth[kinds[i].Name] > 0
	}
	sorting.Stable(kinds, func(a, b Kind) int {
		if by := depth[a.Name] - depth[b.Name]; by != 0 {
			return by
		}
		return rank(a) - rank(b)
	})
	return kinds
}

func rank(k Kind) int {
	if k.Submitted {
		return 0
	}
	return 1
}

// depths returns the longest path to each kind along the links, which have no cycles.
func depths(kinds []Kind) map[string]int {
	depth := map[string]int{}
	for range kinds {
		for _, k := range kinds {
			for _, l := range k.Links {
				depth[l.Kind] = max(depth[l.Kind], depth[k.Name]+1)
			}
		}
	}
	return depth
}

// removeRecords deletes the records that neither a retention period nor a hold protects.
func (d *deletion) removeRecords(ctx context.Context) error {
	for _, k := range d.Kinds {
		if err := d.removeKind(ctx, k); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	return nil
}

func (d *deletion) removeKind(ctx context.Context, k Kind) error {
	after, next := filing.Position{}, filing.Position{} // separate, since a transaction may run twice
	for read := recordPage; read == recordPage; after = next {
		_, err := d.runPage(ctx, k.Name, func(tx DeleteTx, holds retention.Holds) (removed int64, err error) {
			part, err := tx.WholeFilings(k.Name, after, recordPage)
			if read = len(part); err != nil || read == 0 {
				return 0, err
			}
			kept, err := d.retained(tx, k, part, holds)
			if err != nil {
				return 0, err
			}
			removed, err = d.removeUnretained(tx, k, part, kept)
			next = filing.Position{CreatedAt: part[read-1].CreatedAt, ID: part[read-1].ID}
			return removed, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// retained returns which records stay: submitted records, records that a retained record refers to, and
// records on which retained records of their Hub are based, such as the imports in a report. Of a test organisation,
// which no authority has heard from, only records under a hold stay.
func (d *deletion) retained(tx DeleteTx, k Kind, part []filing.Filing, holds retention.Holds) (kept map[string]bool, err error) {
	ids := make([]string, len(part))
	for i := range part {
		ids[i] = part[i].ID
	}
	test := tx.Test().Test
	switch {
	case k.Submitted && !test:
		kept, err = tx.Sent(ids)
	case k.linked:
		kept, err = tx.MarkedRetained(ids)
	default:
		kept = map[string]bool{}
	}
	if err != nil {
		return nil, err
	}
	for i := range part {
		f := &part[i]
		if holds.All() || holds.Of(f.ID) || !test && k.Submitted && wasSubmitted(f) || !k.Submitted && !k.linked && d.hubs[k.Hub] {
			kept[f.ID] = true
		}
	}
	return kept, nil
}

// wasSubmitted reports whether a record was ever submitted.
func wasSubmitted(f *filing.Filing) bool {
	var added struct{ SubmittedAt string }
	return json.Unmarshal(f.Added, &added) == nil && added.SubmittedAt != ""
}

// removeUnretained deletes the other records of a page, and marks the records that the retained ones refer to.
func (d *deletion) removeUnretained(tx DeleteTx, k Kind, part []filing.Filing, kept map[string]bool) (int64, error) {
	var deleted []retention.Aged
	var linked []string
	for i := range part {
		f := &part[i]
		if !kept[f.ID] {
			deleted = append(deleted, retention.Aged{ID: f.ID, RecordID: f.ID, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt})
			continue
		}
		if k.Submitted {
			d.hubs[k.Hub] = true
		}
		linked = append(linked, links(k, f.Body)...)
	}
	if err := tx.MarkRetained(linked); err != nil || len(deleted) == 0 {
		return 0, err
	}
	return int64(len(deleted)), retention.Remove(tx, d.org, d.NewID(), k.Name, deleted)
}

// links returns the IDs of the records that a body refers to.
func links(k Kind, body json.RawMessage) (ids []string) {
	if len(k.Links) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	for _, l := range k.Links {
		var id string
		if json.Unmarshal(fields[l.Field], &id) == nil && ident.IsUUID(strings.ToLower(id)) {
			ids = append(ids, strings.ToLower(id))
		}
	}
	return ids
}
