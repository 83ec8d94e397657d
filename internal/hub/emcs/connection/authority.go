// Package connection is EMCS as an authority of the exchange: which message an action of a movement sends, how it is written, and what becomes of a movement
// by the messages of both directions. Its channel sends and fetches them by HMRC's Excise Movement Control System API.
package connection

import (
	"encoding/json"
	"errors"
	"regexp"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// ID is the id of the authority.
const ID = "emcs"

// mediaType is that of every message.
const mediaType = "application/xml"

// Authority returns EMCS without channels, for movements of a type.
func Authority(t *filing.Type) *exchange.Authority {
	return &exchange.Authority{
		ID: ID, Name: "HMRC", Title: "Excise Movement and Control System (EMCS)", Noun: "excise movement message", Type: t, Note: hub.LearnMessage,
		Identifier: identifier, Sender: sender, Plan: plan, Compose: compose, About: about, Apply: apply,
		Notice: notice, Explain: explain, Sent: advice, Adopts: true,
		ConsentBy: &consent.Identifier{Name: "excise number", Shape: exciseNumber, Form: "the excise number (ERN) of the organisation: two capital letters, and eleven letters or digits"}, NotEnrolled: notEnrolled,
		Steers: []string{"accept", "reject", "silent"}, Forms: "accept, reject or silent",
	}
}

// exciseNumber is the form of an excise number in HMRC's schemas.
var exciseNumber = regexp.MustCompile(`^[A-Z]{2}[a-zA-Z0-9]{11}$`)

// notEnrolled is HMRC's answer to an account without the enrolment HMRC-EMCS-ORG.
const notEnrolled = "Could not find ExciseNumber"

// advice is the note in the answer to a submission.
const advice = "HMRC has taken the draft. It answers with an ARC or a refusal, which the movement then shows; the goods must not leave before it is ACCEPTED."

// explain finds the fields that the details of a refusal are about.
func explain(body json.RawMessage, p *outbox.Problem) { locate(body, p.Details) }

// locate finds the fields of a movement that HMRC means by locations in its draft.
func locate(body json.RawMessage, details []apierr.Detail) {
	m, err := hub.Read(body)
	if err != nil {
		return
	}
	given, _ := m.Given(emcs.Current)
	for i, d := range details {
		if emcs.KindAt(d.Location) == emcs.Draft {
			details[i].Field = hub.FlatField(d.Location, given)
		}
	}
}

var errNoConsignor = errors.New("connection: the movement has no consignor")

// identifier returns the excise number of the consignor.
func identifier(_ access.Organisation, body json.RawMessage) (string, error) {
	m, err := hub.Read(body)
	if err != nil {
		return "", err
	}
	if ern := m.Whole().Consignor(); ern != "" {
		return ern, nil
	}
	return "", apierr.Invalid(apierr.Detail{Field: "dispatcherExciseNumber", Message: "is required"}).WithCause(errNoConsignor)
}

// about returns the names by which the movement of a message is found: the identifier at HMRC, which the message has as its correlation, the ARC, and the LRN.
func about(r exchange.Received) []string {
	var names []string
	if r.Correlation != "" {
		names = append(names, movementName(r.Correlation))
	}
	m, err := emcs.Decode(r.Raw)
	if err != nil {
		return names
	}
	arc, lrn := references(m)
	if arc != "" {
		names = append(names, arcName(arc))
	}
	if lrn != "" {
		names = append(names, lrnName(m.Body.Value("ConsignorTrader", "TraderExciseNumber"), lrn))
	}
	return names
}

// Names of a movement.
func movementName(id string) string { return "movement:" + id }
func arcName(arc string) string     { return "arc:" + arc }
func lrnName(consignor, lrn string) string {
	return "lrn:" + consignor + "/" + lrn
}
