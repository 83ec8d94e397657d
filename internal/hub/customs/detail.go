package customs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Details holds members that come from the messages about a declaration.
type Details struct {
	Errors []CustomsError `json:"errors,omitempty"`
	Taxes  []AssessedTax  `json:"taxes,omitempty"`

	Versions  []Version       `json:"versions,omitempty"`
	Movements []MovementShown `json:"-"` // with their entries; nil if there are none
	Requests  []RequestShown  `json:"-"` // with the changes of amendments; nil if the record has them all

	// The progress of a declaration whose messages were applied by a release that did not compute it.
	Stage   string   `json:"stage,omitempty"`
	Demands []Demand `json:"demands,omitempty"`
	DueAt   *string  `json:"dueAt,omitempty"`
}

// Details returns the details from the messages about the present LRN.
func (s *Service) Details(tx Tx, f *filing.Filing) (d Details, err error) {
	a, err := addedOf(f)
	if err != nil {
		return d, err
	}
	messages, err := tx.Messages(f.ID)
	if err != nil {
		return d, err
	}
	ts, err := tx.Transmissions(f.ID)
	if err != nil {
		return d, err
	}
	all := messages
	messages = ofLRN(messages, a.LRN)
	repeated := isRepeated(ts, a.LRN)
	now := reduceMessages(messages, repeated)
	if a.Stage == "" && messages != nil {
		p := s.progressOf(messages, ts, a)
		d.Stage, d.Demands, d.DueAt = p.Stage, p.Demands, dueAt(p.Demands)
	}
	d.Errors = customsErrors(now.Rejection)
	if now.hasTaxes(ts) {
		for _, t := range now.Taxes {
			d.Taxes = append(d.Taxes, AssessedTax{Item: t.Item, Type: t.Type, Assessed: t.Assessed.Value, Payable: t.Payable.Value})
		}
	}
	d.Versions = versionsOf(ts, messages, a.LRN, now.Accepted.Time)
	if slices.ContainsFunc(ts, func(t Transmission) bool { return t.Detail.Amendment != nil }) {
		d.Requests = withChanges(requestsOf(ts, all, now), ts)
	}
	d.Movements = movementsOf(ts, all)
	return d, nil
}

// customsErrors explains errors of customs.
func customsErrors(errors []notification.Error) (all []CustomsError) {
	for _, e := range errors {
		entry := cdscode.Explain(e.Code)
		all = append(all, CustomsError{
			Code: e.Code, Field: e.Pointer().Field(), Pointer: e.Pointer().String(), Title: entry.Title, Description: entry.Meaning + " " + entry.Fix,
		})
	}
	return all
}

// Shown returns a declaration as the API shows it: the record with its details.
func (s *Service) Shown(tx Tx, f *filing.Filing) ([]byte, error) {
	details, err := s.Details(tx, f)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(details)
	if err != nil {
		return nil, err
	}
	shown, err := s.withDerived(tx, f)
	if err != nil {
		return nil, err
	}
	if shown.Added, err = details.complete(shown.Added); err != nil {
		return nil, err
	}
	record := shown.AppendJSON(nil)
	if len(more) > len("{}") {
		record = append(append(record[:len(record)-1], ','), more[1:]...)
	}
	return record, nil
}

// complete returns the added members of a record with what it leaves out of its requests and movements.
func (d *Details) complete(added []byte) ([]byte, error) {
	whole := filing.Added{}
	if d.Requests != nil {
		whole["requests"] = d.Requests
	}
	if d.Movements != nil {
		whole["movements"] = d.Movements
	}
	if len(whole) == 0 {
		return added, nil
	}
	patch, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	return filing.Patch(added, patch)
}

// Answered returns a record as the answer to its creation or correction shows it: with the values that the service adds. The
// answer to a plain creation, without a data set or a filling, leaves them out, because it reads no other record.
func (s *Service) Answered(tx Tx, f filing.Filing, created bool) (filing.Filing, error) {
	if created && !namesFilling(f.Body) {
		return f, nil
	}
	return s.withDerived(tx, &f)
}

// InFull returns a record whose declaration has full forms only. The documents of its header are those of each item.
func InFull(f filing.Filing) (filing.Filing, error) {
	var d Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return f, err
	}
	d.Items = withHeaderDocuments(d.Items, d.Documents)
	for n := range d.Items {
		d.Items[n] = d.Items[n].Expand()
	}
	items, err := json.Marshal(map[string]any{"items": d.Items, "documents": nil})
	if err != nil {
		return f, err
	}
	f.Body, err = filing.Patch(f.Body, items)
	return f, err
}

// namesFilling reports whether a body may name a data set or a filling.
func namesFilling(body []byte) bool {
	return bytes.Contains(body, []byte(`"dataSet":`)) || bytes.Contains(body, []byte(`"fill":`))
}

// withDerived returns a record with the values that the service adds to its declaration. They are those of the records that
// the declaration takes over from now or, if it has been submitted with a data set, those of its submission. The estimate of a
// declaration that can be corrected is that of the tariff and the exchange rates in force.
func (s *Service) withDerived(tx Tx, f *filing.Filing) (filing.Filing, error) {
	a, err := addedOf(f)
	if err != nil {
		return *f, err
	}
	d, err := gather(tx, f)
	if apierr.Is(err, apierr.NotFound) {
		return *f, nil // retention has removed a record that it took values from
	}
	if err != nil {
		return *f, err
	}
	draft := f.Status == lifecycle.Draft || f.Status == lifecycle.Rejected
	if !draft && (d.declaration.DataSet != "" || d.declaration.Fill != "") {
		return *f, nil
	}
	d.lrn, d.rates = a.LRN, s.Rates
	if d.now, err = reviewTime(f, tx.Now()); err != nil {
		return *f, err
	}
	filled := d.filled(true)
	all, err := withStored(f, filled.derived)
	if err != nil {
		return *f, err
	}
	added := filing.Added{}
	if draft && a.DutyBasis == estimated {
		added = estimate(s.ChargeSource(), s.Rates, &d.declaration, d.now, filled.document)
	}
	if len(all) > 0 {
		added[filing.DerivedMember] = all
	}
	if len(added) == 0 {
		return *f, nil
	}
	more, err := json.Marshal(added)
	if err != nil {
		return *f, err
	}
	shown := *f
	shown.Added, err = filing.Patch(f.Added, more)
	return shown, err
}

// ShownUnchanged reports whether a declaration is shown as it was when it last changed. The values that the service adds follow its
// shipment, its client, the organisation, the declaration that it supplements, the exchange rates of its prices, and the day, until
// they are kept at its submission.
func (s *Service) ShownUnchanged(tx Tx, f *filing.Filing) (bool, error) {
	draft := f.Status == lifecycle.Draft || f.Status == lifecycle.Rejected
	if !draft && namesFilling(f.Body) {
		return true, nil
	}
	if draft && (calendar.Days(f.UpdatedAt, tx.Now()) != 0 || bytes.Contains(f.Body, []byte(`"itemPrice"`))) {
		return false, nil
	}
	var d struct{ ShipmentID, Supplements string }
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return false, err
	}
	shipment, err := tx.Filing(Shipments.Kind, strings.ToLower(d.ShipmentID))
	if err != nil {
		return false, ignoreMissing(err)
	}
	var of struct{ ClientID string }
	if err := json.Unmarshal(shipment.Body, &of); err != nil {
		return false, err
	}
	client, err := tx.Filing(Clients.Kind, strings.ToLower(of.ClientID))
	if err != nil {
		return false, ignoreMissing(err)
	}
	o, err := tx.Organisation()
	if err != nil {
		return false, err
	}
	sources := []filing.Filing{shipment, client, {UpdatedAt: o.UpdatedAt, Version: o.Version}}
	if d.Supplements != "" {
		simplified, err := tx.Filing(DeclarationKind, strings.ToLower(d.Supplements))
		if err != nil {
			return false, ignoreMissing(err)
		}
		sources = append(sources, simplified)
	}
	return !slices.ContainsFunc(sources, func(of filing.Filing) bool { return changedSince(&of, f) }), nil
}

// changedSince reports whether a record that another one rests on may have changed after it. One that never changed is older: it
// had to exist. The others are compared by time, and at the same instant, which a stopped test clock makes likely, count as
// changed.
func changedSince(of, f *filing.Filing) bool {
	return of.Version != 1 && !of.UpdatedAt.Before(f.UpdatedAt)
}

// ignoreMissing drops the error of a record that does not exist any more.
func ignoreMissing(err error) error {
	if apierr.Is(err, apierr.NotFound) {
		return nil
	}
	return err
}

// TimelineEntry is an event of a declaration, or a message that was sent or received.
type TimelineEntry struct {
	OccurredAt     string `json:"occurredAt" format:"date-time" doc:"When the service stored it"`
	Kind           string `json:"kind" enum:"event,sent,received" doc:"Event, message sent to customs, or message received"`
	Title          string `json:"title" doc:"Event type, purpose, or name of the message" example:"DMSACC"`
	FunctionCode   string `json:"functionCode,omitempty" doc:"Function code of a message from customs" example:"01"`
	ConversationID string `json:"conversationId,omitempty" doc:"Conversation of the message"`
	MessageID      string `json:"messageId,omitempty" doc:"Customs' id of the message"`
	IssuedAt       string `json:"issuedAt,omitempty" format:"date-time" doc:"When customs issued it"`
	FromStatus     string `json:"fromStatus,omitempty" doc:"Status before"`
	ToStatus       string `json:"toStatus,omitempty" doc:"Status after"`
	ActorUserID    string `json:"actorUserId,omitempty" doc:"User who did it"`
	Simulated      bool   `json:"simulated,omitempty" doc:"Whether the caller selected the outcome of the simulator"`
	Outcome        string `json:"outcome,omitempty" enum:"pending,sent,refused,unknown" doc:"Outcome of the sending"`

	Part  string       `json:"-"` // ID of the transmission or message
	By    string       `json:"-"` // user who submitted it
	Event *audit.Event `json:"-"` // nil for messages
	at    time.Time
}

// maxTimelineEntries is the maximum length of a timeline.
const maxTimelineEntries = 1000

// Timeline returns the timeline of a declaration, oldest first.
func (s *Service) Timeline(tx interface {
	Tx
	audit.View
}, id string) ([]TimelineEntry, error) {
	if _, err := tx.Filing(s.Type.Kind, id); err != nil {
		return nil, err
	}
	events, err := tx.Events(audit.Query{ResourceID: id, Limit: maxTimelineEntries})
	if err != nil {
		return nil, err
	}
	sendings, err := tx.Transmissions(id)
	if err != nil {
		return nil, err
	}
	messages, err := tx.Messages(id)
	if err != nil {
		return nil, err
	}
	moments := []TimelineEntry{}
	for i := range slices.Backward(events) {
		e := &events[i]
		moments = append(moments, TimelineEntry{
			Kind: "event", Title: e.Type, FromStatus: e.FromStatus, ToStatus: e.ToStatus, ActorUserID: e.ActorUserID, Event: e, at: e.OccurredAt,
		})
	}
	simulated := map[string]bool{} // by conversation
	for i := range sendings {
		t := &sendings[i]
		simulated[t.ConversationID] = t.Request.SimulatedBy != ""
		moments = append(moments, TimelineEntry{
			Kind: "sent", Title: t.Purpose, ConversationID: t.ConversationID, Outcome: string(t.State), Simulated: t.Request.SimulatedBy != "",
			Part: t.ID, By: t.Request.Call.UserID, at: t.CreatedAt,
		})
	}
	for _, m := range messages {
		moments = append(moments, received(m, simulated[m.ConversationID]))
	}
	sorting.Stable(moments, func(a, b TimelineEntry) int { return a.at.Compare(b.at) })
	for i := range moments {
		moments[i].OccurredAt = audit.Instant(moments[i].at)
	}
	return moments[max(0, len(moments)-maxTimelineEntries):], nil
}

func received(m Message, simulated bool) TimelineEntry {
	out := TimelineEntry{
		Kind: "received", Title: cmp.Or(m.Notification.Name, "function code "+m.Notification.FunctionCode), FunctionCode: m.Notification.FunctionCode,
		ConversationID: m.ConversationID, MessageID: m.MessageID, Simulated: simulated, Part: m.ID, at: m.ReceivedAt,
	}
	if !m.Notification.IssuedAt.Time.IsZero() {
		out.IssuedAt = audit.Instant(m.Notification.IssuedAt.Time)
	}
	return out
}
