// Package haulier connects goods movement records with HMRC's Goods Vehicle Movement Service (GVMS), by its API for hauliers.
//
// HMRC answers a request without saying to which record it belongs; a notification names the record later. This package finds the
// record by its content, and from then on by its number. It reads all changed records of an account instead of notifications,
// because those are for the whole application, and the members of their messages are not public.
package haulier

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// ID is the ID of the authority.
const ID = "gvms"

// Purposes of messages. The values are stored.
const (
	toCreate = "create"
	toUpdate = "update"
	toDelete = "delete"
)

const mediaType = "application/json"

// Haulier is the authority with its reference data.
type Haulier struct {
	authority *exchange.Authority
	held      references
}

// New returns the authority of a kind of record, without channels. The time is that of this service.
func New(t *filing.Type, now func() time.Time) *Haulier {
	h := &Haulier{held: references{now: now}}
	h.authority = &exchange.Authority{
		ID: ID, Name: "HMRC", Title: "Goods Vehicle Movement Service", Noun: "goods movement record", Type: t, Creates: true, Note: gvms.Note,
		Steers: []string{"inspect"}, Forms: "inspect",
		Identifier: identifier, Plan: plan, Compose: h.compose, About: about, Apply: h.apply, Notice: notice, Routes: h.routes,
	}
	return h
}

// Authority returns the authority.
func (h *Haulier) Authority() *exchange.Authority { return h.authority }

// identifier is the EORI number of the account, which is that of the organisation. A simulator needs none.
func identifier(org access.Organisation, _ json.RawMessage) (string, error) {
	return org.Profile.EORI, nil
}

// plan returns what an action means. A record whose creation HMRC has refused is sent again when it is corrected.
func plan(f *filing.Filing, by lifecycle.Action, earlier []exchange.Message) (exchange.Step, error) {
	if by == exchange.Create {
		return exchange.Step{Order: exchange.Along, Purpose: toCreate}, nil
	}
	if slices.Contains(gvms.Marks, by) {
		return exchange.Step{}, apierr.New(apierr.InvalidState, "HMRC's answers decide this; it cannot be marked by hand.")
	}
	purpose, found := map[lifecycle.Action]string{lifecycle.Amend: toUpdate, lifecycle.Cancel: toDelete}[by]
	switch {
	case !found:
		return exchange.Step{}, nil
	case f.Status != lifecycle.Draft:
		return exchange.Step{Order: exchange.First, Purpose: purpose}, nil
	case !isRefused(earlier):
		return exchange.Step{}, apierr.New(apierr.InvalidState, "HMRC has not given this movement its GMR yet. Change it when its status is OPEN or NOT_FINALISABLE.")
	case by == lifecycle.Amend:
		return exchange.Step{Order: exchange.Along, Purpose: toCreate}, nil
	}
	return exchange.Step{}, nil
}

// isRefused reports whether HMRC has refused the latest message.
func isRefused(messages []exchange.Message) bool {
	sent := latestSent(messages)
	return sent != nil && sent.State == outbox.Refused
}

// latestSent returns the latest message to HMRC; nil for none.
func latestSent(messages []exchange.Message) *exchange.Message {
	for i := range slices.Backward(messages) {
		if messages[i].Direction == exchange.Out {
			return &messages[i]
		}
	}
	return nil
}

// compose writes the record. A deletion has no body.
func (h *Haulier) compose(d exchange.Draft) (out exchange.Outgoing, details []apierr.Detail, err error) {
	ref, err := h.authority.Type.ReferenceOf(d.Record.Added)
	if err != nil {
		return out, nil, err
	}
	out = exchange.Outgoing{Kind: d.Purpose, Correlation: ref.Value}
	if d.Purpose == toDelete {
		return out, nil, nil
	}
	var m gvms.Movement
	if err := json.Unmarshal(d.Record.Body, &m); err != nil {
		return out, nil, err
	}
	data := h.held.of(d.Mode)
	if data == nil {
		return out, nil, apierr.New(apierr.HMRCUnreachable, "HMRC's routes are not known yet. Try again later.")
	}
	record, details := m.Record(data)
	if details != nil {
		return out, details, nil
	}
	if out.Raw, err = json.Marshal(record); err != nil {
		return out, nil, err
	}
	out.MediaType, out.Names = mediaType, []string{exchange.Once(contentOf(record))}
	return out, nil, nil
}

// contentOf returns a digest of what a haulier has sent of a record, by which the record is found while its number is unknown.
func contentOf(r api.Record) string {
	if r.HaulierType == "" {
		r.HaulierType = "STANDARD"
	}
	text, _ := json.Marshal(r) // plain values
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// about returns the number of a record, and its content.
func about(in exchange.Received) []string {
	var m api.Movement
	if in.Kind == unreadable || json.Unmarshal(in.Raw, &m) != nil || m.ID == "" {
		return []string{in.Correlation}
	}
	return []string{m.ID, exchange.Once(contentOf(m.Record))}
}

// notice reads a notification, of which only the id of the record is used: HMRC publishes no other names.
func notice(text []byte) (exchange.Notice, error) {
	id, err := api.NotifiedID(text)
	return exchange.Notice{Name: id}, err
}

// statuses are the states of HMRC as this service has them. An unknown state changes nothing.
var statuses = map[api.State]lifecycle.State{
	api.NotFinalisable: gvms.NotFinalisable, api.Open: gvms.Open, api.CheckedIn: gvms.CheckedIn, api.Embarked: gvms.Embarked, api.Completed: gvms.Completed,
}

// apply computes a record from the latest version that HMRC has shown of it.
func (h *Haulier) apply(r *exchange.Record, messages []exchange.Message, now time.Time) (c exchange.Course, err error) {
	m, seen := latest(messages)
	c.Added = filing.Added{"ruleFailures": nil, "inspectionRequired": nil, "reportToLocations": nil, "refusal": refusalOf(messages)}
	if r.Status == lifecycle.Cancelled {
		return exchange.Course{}, nil
	}
	if m != nil {
		c.State, c.Reference, c.Names = statuses[m.Metadata.State], m.ID, []string{m.ID}
		c.Data = filing.Added{"gmrId": m.ID, "state": m.Metadata.State, "gmrStatusVersion": m.Metadata.Version}
		addMetadata(c.Added, &m.Metadata)
	}
	c.Next = h.next(r, m, seen, messages, now)
	return c, nil
}

// addMetadata adds what HMRC says about a record.
func addMetadata(added filing.Added, m *api.Metadata) {
	if len(m.Failures) > 0 {
		added["ruleFailures"] = m.Failures
	}
	if m.Inspect != nil {
		added["inspectionRequired"] = *m.Inspect
	}
	if len(m.ReportTo) > 0 {
		added["reportToLocations"] = m.ReportTo
	}
}

// latest returns the latest version of a record among its messages, and when it was stored; nil for none.
func latest(messages []exchange.Message) (last *api.Movement, seen time.Time) {
	for i := range messages {
		var m api.Movement
		if messages[i].Direction != exchange.In || json.Unmarshal(messages[i].Raw, &m) != nil {
			continue
		}
		if last == nil || newer(&m.Metadata, &last.Metadata) {
			last, seen = &m, messages[i].CreatedAt
		}
	}
	return last, seen
}

// newer reports whether one version of a record is later than another: by HMRC's number or, without one, by its time.
func newer(a, b *api.Metadata) bool {
	if a.Version != b.Version {
		return a.Version > b.Version
	}
	return a.Updated > b.Updated
}

// refusalOf returns why HMRC did not take a new record; nil if it did.
func refusalOf(messages []exchange.Message) any {
	sent := latestSent(messages)
	if sent == nil || sent.State != outbox.Refused || sent.Purpose != toCreate {
		return nil
	}
	return gvms.RecordRefusal{Message: sent.Problem.Message, Details: sent.Problem.Details}
}
