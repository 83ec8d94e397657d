// Package timeline is the history of a shipment over all Hubs: the events of the shipment, of its declarations, and of the
// records of other Hubs that name one of their references.
package timeline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Limits of a timeline.
const (
	maxDeclarations = 50        // of the shipment, the newest
	maxTexts        = 60        // by which records of other Hubs are found
	maxFound        = 50        // the newest
	eventsOf        = 64        // records whose events are read at once
	maxBody         = 256 << 10 // bytes of a declaration that is searched for references of other records
)

// Tx reads records and their events.
type Tx interface {
	filing.View
	audit.View
	// FilingsByID returns the existing records of a kind with these IDs, in no order. A body longer than size bytes is cut.
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
}

// Find returns the newest records of all kinds that contain one of some texts, and how far their index has come.
type Find func(ctx context.Context, org tenant.ID, texts []string, limit int) ([]filing.Filing, search.Reach, error)

// Select reads a page of records of a kind.
type Select func(filing.Selection) ([]filing.Filing, error)

// Service reads timelines.
type Service struct {
	Types map[string]*filing.Type
	Find  Find
}

// Timeline is the records of a shipment. Those of other Hubs are found by the index of the search, as far as it has come.
type Timeline struct {
	search.Reach
	service *Service
	records []filing.Filing
	texts   []string // that name the shipment
}

// ShipmentEvent is an event of one of the records.
type ShipmentEvent struct {
	At              string  `json:"at" format:"date-time" doc:"Time" example:"2026-11-21T09:00:00.000Z"`
	Event           string  `json:"event" doc:"Type of the event" example:"gvms.movement.created"`
	Kind            string  `json:"kind" doc:"Kind of record" example:"gvms.movement"`
	ID              string  `json:"id" format:"uuid" doc:"Id of the record"`
	Title           string  `json:"title" doc:"Its name" example:"AB24 CDE"`
	Status          string  `json:"status" doc:"Status after the event" example:"OPEN"`
	Reference       *string `json:"reference" nullable:"true" doc:"Its reference. The authority’s, as it is now" example:"GMRA2AMKTC1B"`
	ReferenceSource *string `json:"referenceSource" nullable:"true" enum:"simulated,simulator" doc:"Who made it. Null for the authority" example:"simulated"`

	Recorded audit.Event `json:"-"`
}

// Of reads a shipment and its declarations.
func (s *Service) Of(tx Tx, list Select, shipmentID string) (*Timeline, error) {
	shipment, err := tx.Filing(customs.Shipments.Kind, shipmentID)
	if err != nil {
		return nil, err
	}
	declarations, err := list(filing.Selection{Kind: customs.DeclarationKind, ShipmentID: shipmentID, Limit: maxDeclarations})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(declarations)) // lists have no bodies
	for i := range declarations {
		ids[i] = declarations[i].ID
	}
	if declarations, err = tx.FilingsByID(customs.DeclarationKind, ids, maxBody); err != nil {
		return nil, err
	}
	t := &Timeline{service: s, records: append([]filing.Filing{shipment}, declarations...)}
	for i := range t.records {
		if err := t.addTexts(&t.records[i]); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// named are the members of a shipment or a declaration with texts by which other records name it, or it names them.
type named struct {
	Containers        []string
	Documents         []document
	PreviousDocuments []document
	Items             []struct{ Documents, PreviousDocuments []document }
}

// document is a document of a declaration. Its reference can be the MRN of an entry summary or transit declaration, or the ARC of an excise movement.
type document struct{ Type, Reference string }

// shared are the types of documents that records of other Hubs stand for or name.
var shared = append([]string{customs.EntrySummaryType, customs.ExciseDocumentType}, customs.TransitTypes...)

// addTexts adds the texts by which other records may name a record: those of the authority first. The references in a body that was cut
// are left out.
func (t *Timeline) addTexts(f *filing.Filing) error {
	var added struct{ MRN, DUCR, Reference string }
	var body named
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return fmt.Errorf("timeline: record %s: %w", f.ID, err)
	}
	if len(f.Body) < maxBody {
		if err := json.Unmarshal(f.Body, &body); err != nil {
			return fmt.Errorf("timeline: record %s: %w", f.ID, err)
		}
	}
	texts := []string{added.MRN, added.DUCR, added.Reference}
	for _, d := range body.allDocuments() {
		if slices.Contains(shared, d.Type) {
			texts = append(texts, d.Reference)
		}
	}
	for _, text := range append(texts, body.Containers...) {
		if text != "" && len(t.texts) < maxTexts && !slices.Contains(t.texts, text) {
			t.texts = append(t.texts, text)
		}
	}
	return nil
}

func (b *named) allDocuments() []document {
	all := slices.Concat(b.Documents, b.PreviousDocuments)
	for _, i := range b.Items {
		all = append(append(all, i.Documents...), i.PreviousDocuments...)
	}
	return all
}

// AddNamed adds the records of other Hubs that name the shipment or a declaration, or that one of them names. No transaction may be open.
func (t *Timeline) AddNamed(ctx context.Context, org tenant.ID) error {
	found, reach, err := t.service.Find(ctx, org, t.texts, maxFound)
	if t.Reach = reach; err != nil {
		return err
	}
	for i := range found {
		kind := t.service.Types[found[i].Kind]
		known := slices.ContainsFunc(t.records, func(r filing.Filing) bool { return r.ID == found[i].ID })
		if kind != nil && kind.Hub != customs.HubID && !known {
			t.records = append(t.records, found[i])
		}
	}
	return nil
}

// Page returns a page of the timeline, newest first: at most limit entries before a sequence, which is 0 for the first page. It
// also returns the sequence that the next page begins before; 0 for the last page.
func (t *Timeline) Page(tx Tx, before int64, limit int) (page []ShipmentEvent, next int64, err error) {
	byID := map[string]*filing.Filing{}
	var ids []string
	for i := range t.records {
		ids, byID[t.records[i].ID] = append(ids, t.records[i].ID), &t.records[i]
	}
	for some := range slices.Chunk(ids, eventsOf) {
		events, err := tx.Events(audit.Query{ResourceIDs: some, Before: before, Limit: limit + 1})
		if err != nil {
			return nil, 0, err
		}
		for n := range events {
			e, err := t.entry(byID[events[n].ResourceID], &events[n])
			if err != nil {
				return nil, 0, err
			}
			page = append(page, e)
		}
	}
	sorting.Stable(page, func(a, b ShipmentEvent) int { return cmp.Compare(b.Recorded.Sequence, a.Recorded.Sequence) })
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1].Recorded.Sequence
	}
	return page, next, nil
}

func (t *Timeline) entry(f *filing.Filing, e *audit.Event) (ShipmentEvent, error) {
	entry := ShipmentEvent{At: audit.Instant(e.OccurredAt), Event: e.Type, Kind: f.Kind, ID: f.ID, Title: f.Name(), Status: cmp.Or(e.ToStatus, string(f.Status)), Recorded: *e}
	kind := t.service.Types[f.Kind]
	if kind == nil {
		return entry, nil
	}
	r, err := kind.ReferenceOf(f.Added)
	if r.Value != "" {
		entry.Reference = &r.Value
		if source := string(r.Source); source != "" {
			entry.ReferenceSource = &source
		}
	}
	return entry, err
}
