// Package connection is Safety and Security GB as an authority of the exchange: which message an action on a filing with the regime
// GB sends, how it is written, and what becomes of the filing by HMRC's outcomes and notifications, whatever their order.
package connection

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// ID is the id of the authority.
const ID = "ens"

// Purposes of messages. The values are stored.
const (
	toSubmit = "submit"
	toAmend  = "amend"
)

const mediaType = "application/xml"

// Authority returns Safety and Security GB without channels, for filings of a type.
func Authority(t *filing.Type) *exchange.Authority {
	a := &exchange.Authority{
		ID: ID, Name: "HMRC", Title: "Safety and Security GB", Noun: "entry summary declaration", Type: t, Note: ics2.Learn,
		Sent:   "HMRC has the declaration and assesses its risks. Its outcome sets the status: ACCEPTED with the MRN, or REJECTED with the errors.",
		Steers: enssim.Steers, Forms: strings.Join(enssim.Steers, ", "),
		Handles: t.Messages.Handles, Identifier: identifier, Plan: plan, About: about, Apply: apply, Explain: explain,
	}
	a.Compose = func(d exchange.Draft) (exchange.Outgoing, []apierr.Detail, error) { return compose(t, d) }
	return a
}

// identifier is the EORI number of the organisation, which lodges its declarations itself.
func identifier(org access.Organisation, _ json.RawMessage) (string, error) {
	if org.Profile.EORI == "" {
		return "", apierr.New(apierr.InvalidState, "The organisation has no EORI number, which HMRC needs as the sender. Enter it in the settings of the organisation.")
	}
	return ics2.EORIOf(org.Profile.EORI), nil
}

// plan returns what an action means.
func plan(f *filing.Filing, by lifecycle.Action, earlier []exchange.Message) (step exchange.Step, err error) {
	sent := latest(earlier)
	switch by {
	case lifecycle.Submit:
		return exchange.Step{Order: exchange.First, Purpose: toSubmit}, nil
	case lifecycle.MarkAccepted, lifecycle.MarkRejected:
		return step, apierr.New(apierr.InvalidState, "HMRC decides whether it accepts this declaration; its outcome sets the status.")
	case lifecycle.Cancel:
		if f.Status == lifecycle.Submitted {
			return step, apierr.New(apierr.InvalidState, "HMRC has this declaration, and there is no message that cancels it.")
		}
	case lifecycle.Amend:
		if f.Status == lifecycle.Accepted {
			return planAmendment(earlier)
		}
	}
	if f.Status == lifecycle.Draft && sent != nil && sent.InDoubt() {
		return step, apierr.New(apierr.InvalidState, "HMRC may have this declaration: its answer is not known yet. Read the filing again later.")
	}
	return step, nil
}

// planAmendment refuses an amendment while HMRC has not decided the one before.
func planAmendment(earlier []exchange.Message) (exchange.Step, error) {
	if a := latestAmendment(earlier); a != nil && a.sent.State == outbox.Sent && a.outcome == nil {
		return exchange.Step{}, apierr.New(apierr.InvalidState, "HMRC has not decided the previous amendment yet. Wait for its outcome.")
	}
	return exchange.Step{Order: exchange.Only, Purpose: toAmend}, nil
}

// latest returns the latest message to HMRC; nil for none.
func latest(messages []exchange.Message) (last *exchange.Message) {
	for i := range messages {
		if messages[i].Direction == exchange.Out {
			last = &messages[i]
		}
	}
	return last
}

// compose writes a CC315A or a CC313A.
func compose(t *filing.Type, d exchange.Draft) (out exchange.Outgoing, details []apierr.Detail, err error) {
	f, err := ics2.Read(d.Record.Body)
	if err != nil {
		return out, nil, err
	}
	given, err := f.Given()
	if err != nil {
		return out, nil, err
	}
	facts := ics2.FactsOf(d.Identifier, d.Record.ID, d.Now)
	message, name := ics2.Draft(f, given, facts), schema.Declaration
	for _, m := range ics2.Missing(f, message) {
		details = append(details, apierr.Detail{Field: m.Field, Message: m.Message, Number: m.Number, Location: m.Location})
	}
	if len(f.CommodityCodes) > 1 {
		details = append(details, apierr.Detail{Field: "commodityCodes", Message: "must be one for the goods item of the flat fields; give several items in message.gOOITEGDS"})
	}
	if d.Purpose == toAmend && len(details) == 0 {
		ref, err := t.ReferenceOf(d.Record.Added)
		if err != nil {
			return out, nil, err
		}
		name = schema.Amendment
		facts.Header = ics2.HeaderOf(d.Identifier, name, fmt.Sprintf("%s/%d", d.Record.ID, len(d.Earlier)), d.Now.UTC())
		if message, err = ics2.Amended(f, given, facts, ref.Value); err != nil {
			return out, nil, err
		}
	}
	out = exchange.Outgoing{Kind: name, MediaType: mediaType, Raw: message.XML(), Names: []string{lrnName(facts.LRN)}}
	if len(out.Raw) > ics2.MaxMessage {
		details = append(details, apierr.Detail{Field: "message", Message: "is larger than the 1,000 kB of XML that HMRC takes"})
	}
	return out, details, nil
}

// about returns the names by which the filing of a message is found: the correlation id, the LRN and the MRN.
func about(in exchange.Received) (names []string) {
	if in.Correlation != "" {
		names = append(names, in.Correlation)
	}
	o, err := ens.ReadOutcome(in.Raw)
	if err != nil {
		return names
	}
	if o.LRN != "" {
		names = append(names, lrnName(o.LRN))
	}
	if o.MRN != "" {
		names = append(names, mrnName(o.MRN))
	}
	return names
}

// Names of a filing, besides the correlation ids that HMRC gave its messages.
func lrnName(lrn string) string { return "lrn:" + lrn }
func mrnName(mrn string) string { return "mrn:" + mrn }

// explain gives the details of a refusal HMRC's numbers, and the fields of the filing.
func explain(body json.RawMessage, p *outbox.Problem) {
	f, err := ics2.Read(body)
	if err != nil {
		return
	}
	for i, d := range p.Details {
		if field := ics2.FieldOf(f, d.Location); field != "" {
			p.Details[i].Field = field
		}
	}
}

// withNumbers gives the problem of a refusal HMRC's numbers, locations and texts.
func withNumbers(r outbox.Result[exchange.Receipt], details []detail) outbox.Result[exchange.Receipt] {
	if len(details) == 0 {
		return r
	}
	r.Problem.Details = nil
	for _, d := range details {
		r.Problem.Details = append(r.Problem.Details, apierr.Detail{Field: "message", Message: d.Message, Number: ensapi.Number(d), Location: d.Path})
	}
	return r
}
