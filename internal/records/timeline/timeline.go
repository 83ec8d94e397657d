// Package timeline is the history of a shipment over all Hubs: the events of the shipment, of its declarations, and of the
// records of other Hubs that name one of their references.
package timeline

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Limits of a timeline.
const (
	maxDeclarations = 50 // of the shipment, the newest
	maxTexts        = 20 // by which records of other Hubs are found
	maxFound        = 20 // by each text
	maxRecords      = 100
)

// Tx reads records and their events.
type Tx interface {
	filing.View
	audit.View
}

// Find returns the newest records of all kinds that contain a text.
type Find func(context.Context, tenant.ID, search.Query) ([]search.FoundRecord, *filing.Position, error)

// Select reads a page of records of a kind.
type Select func(filing.Selection) ([]filing.Filing, error)

// Service reads timelines.
type Service struct {
	Types map[string]*filing.Type
	Find  Find
}

// Timeline is the records of a shipment.
type Timeline struct {
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
	t := &Timeline{service: s, records: append([]filing.Filing{shipment}, declarations...)}
	for i := range t.records {
		t.addTexts(&t.records[i])
	}
	return t, nil
}

// addTexts adds the texts by which other records may name a record: those of the authority first.
func (t *Timeline) addTexts(f *filing.Filing) {
	var added struct{ MRN, DUCR, Reference string }
	var body struct{ Containers []string }
	_ = json.Unmarshal(f.Added, &added)
	_ = json.Unmarshal(f.Body, &body)
	for _, text := range append([]string{added.MRN, added.DUCR, added.Reference}, body.Containers...) {
		if text != "" && len(t.texts) < maxTexts && !slices.Contains(t.texts, text) {
			t.texts = append(t.texts, text)
		}
	}
}

// AddNamed adds the records of other Hubs that name the shipment or a declaration. No transaction may be open.
func (t *Timeline) AddNamed(ctx context.Context, org tenant.ID) error {
	for _, text := range t.texts {
		found, _, err := t.service.Find(ctx, org, search.Query{Text: text, Limit: maxFound})
		if err != nil {
			return err
		}
		for i := range found {
			f := &found[i].Filing
			kind := t.service.Types[f.Kind]
			known := slices.ContainsFunc(t.records, func(r filing.Filing) bool { return r.ID == f.ID })
			if kind != nil && kind.Hub != customs.HubID && !known && len(t.records) < maxRecords {
				t.records = append(t.records, *f)
			}
		}
	}
	return nil
}

// Page returns a page of the timeline, newest first: at most limit entries before a sequence, which is 0 for the first page. It
// also returns the sequence that the next page begins before; 0 for the last page.
func (t *Timeline) Page(tx Tx, before int64, limit int) (page []ShipmentEvent, next int64, err error) {
	for i := range t.records {
		events, err := tx.Events(audit.Query{ResourceID: t.records[i].ID, Before: before, Limit: limit + 1})
		if err != nil {
			return nil, 0, err
		}
		for n := range events {
			e, err := t.entry(&t.records[i], &events[n])
			if err != nil {
				return nil, 0, err
			}
			page = append(page, e)
		}
	}
	slices.SortFunc(page, func(a, b ShipmentEvent) int { return cmp.Compare(b.Recorded.Sequence, a.Recorded.Sequence) })
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
