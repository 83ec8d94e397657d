package connection

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/followup"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// compose writes a message.
func compose(d exchange.Draft) (exchange.Outgoing, []apierr.Detail, error) {
	if d.Purpose == string(lifecycle.Submit) {
		return composeDraft(d)
	}
	return composeLater(d)
}

// messageID returns the identifier of a message.
func messageID(d exchange.Draft) string {
	return hub.MessageID(d.Record.ID, lifecycle.Action(d.Purpose), len(d.Earlier))
}

// composeDraft writes the IE815 of a movement.
func composeDraft(d exchange.Draft) (out exchange.Outgoing, details []apierr.Detail, err error) {
	m, err := hub.Read(d.Record.Body)
	if err != nil {
		return out, nil, err
	}
	given, faults := m.Given(emcs.Current)
	if len(faults) > 0 {
		return out, nil, fmt.Errorf("connection: the data set of movement %s: %s %s", d.Record.ID, faults[0].Field, faults[0].Message)
	}
	lrn := hub.LRNOf(d.Record.ID)
	for _, missing := range hub.MissingFields(m, given, lrn, emcs.Current, d.Now) {
		details = append(details, apierr.Detail{Field: missing.Field, Message: missing.Reason, Number: missing.Number, Location: missing.Location})
	}
	if len(details) > 0 {
		return out, details, nil
	}
	id := messageID(d)
	out = exchange.Outgoing{Kind: string(emcs.Draft), Correlation: id, MediaType: mediaType}
	if out.Raw, err = hub.Document(m, given, lrn, emcs.Current, d.Now, id); err != nil {
		return out, nil, err
	}
	body := hub.Draft(m, given, lrn)
	out.Names = []string{lrnName(body.Value("ConsignorTrader", "TraderExciseNumber"), body.Value("EadEsadDraft", "LocalReferenceNumber"))}
	return out, nil, nil
}

// composeLater writes a message that follows the acceptance of a movement.
func composeLater(d exchange.Draft) (out exchange.Outgoing, details []apierr.Detail, err error) {
	accepted, known := latest(d.Earlier)
	if !known {
		return out, nil, apierr.New(apierr.InvalidState, "HMRC has not accepted this movement yet, so that it has no ARC.")
	}
	movement, err := followup.Of(accepted)
	if err != nil {
		return out, nil, err
	}
	whole := emcs.Message{Version: emcs.Current}
	if whole.Kind, whole.Body, err = laterBody(movement, d); err != nil {
		return out, nil, err
	}
	if details = problems(whole, d); len(details) > 0 {
		return out, details, nil
	}
	id := messageID(d)
	from, to := movement.Number(followup.Consignor), movement.Number(followup.Consignee)
	if party(d) == followup.Consignee {
		from, to = to, from
	}
	whole.Header = emcs.Between(from, to, d.Now, id)
	out = exchange.Outgoing{Kind: string(whole.Kind), Correlation: movementOf(d.Earlier), MediaType: mediaType}
	out.Raw, err = emcs.Encode(whole)
	return out, nil, err
}

// cancellation is the reason of every cancellation: HMRC's other reason, which has a description.
var cancellation = followup.GivenReason{Code: "0", Information: "Cancelled by the consignor"}

// laterBody returns the kind and the body of a later message.
func laterBody(m followup.Movement, d exchange.Draft) (emcs.Kind, *emcs.Element, error) {
	switch lifecycle.Action(d.Purpose) {
	case lifecycle.Cancel:
		return emcs.Cancellation, m.Cancellation(cancellation), nil
	case hub.Receipt:
		body, err := read(d.Input, m.Receipt)
		return emcs.Receipt, body, err
	case hub.Destination:
		body, err := read(d.Input, m.Destination)
		return emcs.DestinationChange, body, err
	case hub.Alert:
		body, err := read(d.Input, m.Alert)
		return emcs.Alert, body, err
	case hub.Delay:
		body, err := read(d.Input, m.Delay)
		return emcs.Delay, body, err
	case hub.Shortage:
		body, err := read(d.Input, m.Shortage)
		return emcs.Shortage, body, err
	}
	return "", nil, fmt.Errorf("connection: no message for %s", d.Purpose)
}

// read makes a body of what a caller stated.
func read[B any](input json.RawMessage, body func(B) *emcs.Element) (*emcs.Element, error) {
	var b B
	if err := json.Unmarshal(input, &b); err != nil {
		return nil, fmt.Errorf("connection: what the caller stated: %w", err)
	}
	return body(b), nil
}

// sender returns the excise number of the party that sends a later message; empty for a draft, which its consignor sends, and without an ARC.
func sender(d exchange.Draft) string {
	accepted, known := latest(d.Earlier)
	if d.Purpose == string(lifecycle.Submit) || !known {
		return ""
	}
	movement, err := followup.Of(accepted)
	if err != nil {
		return ""
	}
	return movement.Number(party(d))
}

// party returns the party that sends a later message.
func party(d exchange.Draft) followup.Party {
	switch lifecycle.Action(d.Purpose) {
	case hub.Receipt, hub.Alert:
		return followup.Consignee
	case hub.Delay, hub.Shortage:
		var by struct{ By followup.Party }
		if json.Unmarshal(d.Input, &by) == nil && by.By == followup.Consignee {
			return followup.Consignee
		}
	}
	return followup.Consignor
}

// problems returns what HMRC's schema finds in a later message, such as an item that the movement does not have. What breaks a numbered rule is left to HMRC.
func problems(m emcs.Message, d exchange.Draft) (details []apierr.Detail) {
	for _, f := range rulebook.Check(m, d.Now) {
		if f.Number == 0 || f.Missing {
			details = append(details, apierr.Detail{Field: inputField(f.Field), Message: f.Message, Number: f.Number, Location: f.Location})
		}
	}
	return details
}

// movementOf returns the identifier of a movement at HMRC: that of its messages, or of the answer to its draft.
func movementOf(earlier []exchange.Message) string {
	for _, m := range earlier {
		switch {
		case m.Direction == exchange.In && m.Correlation != "":
			return m.Correlation
		case m.Direction == exchange.Out && m.Receipt.Correlation != "":
			return m.Receipt.Correlation
		}
	}
	return ""
}
