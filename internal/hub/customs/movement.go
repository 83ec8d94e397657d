package customs

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
)

// Kinds of movements.
const (
	MovementAnticipated = "ANTICIPATED_ARRIVAL"
	MovementArrival     = "ARRIVAL"
	MovementDeparture   = "DEPARTURE"
	MovementAssociate   = "ASSOCIATE"
	MovementShut        = "SHUT"
)

// movementCodes are the message codes by kind.
var movementCodes = map[string]string{
	MovementAnticipated: inventory.CodeAnticipated, MovementArrival: inventory.CodeArrival, MovementDeparture: inventory.CodeDeparture,
	MovementAssociate: inventory.CodeAssociate, MovementShut: inventory.CodeShut,
}

// Statuses of a movement.
const (
	MovementWaiting   = "WAITING"
	MovementUnknown   = "UNKNOWN"
	MovementRequested = "REQUESTED"
	MovementAccepted  = "ACCEPTED"
	MovementPartly    = "PARTLY_ACCEPTED"
	MovementRefused   = "REFUSED"
)

// LevelMaster is the level of a movement of a whole consolidation.
const LevelMaster = "MUCR"

const levelDeclaration = "DUCR"

// MovementBody is the body of a movement of an export.
type MovementBody struct {
	Kind      string `json:"kind" enum:"ANTICIPATED_ARRIVAL,ARRIVAL,DEPARTURE,ASSOCIATE,SHUT" doc:"ANTICIPATED_ARRIVAL: the goods are expected. ARRIVAL, DEPARTURE: they have arrived, departed. ASSOCIATE: put the DUCR into a consolidation, or take it out. SHUT: close a consolidation" example:"ARRIVAL"`
	Level     string `json:"level,omitempty" enum:"DUCR,MUCR" doc:"Of an arrival or a departure: the goods of this declaration, or those of the whole consolidation; DUCR when left out" example:"DUCR"`
	UCRPart   string `json:"ucrPart,omitempty" pattern:"^[0-9]{1,3}[A-Z]?$" doc:"Part number of the DUCR, for goods that are moved in parts" example:"001A"`
	MasterUCR string `json:"masterUcr,omitempty" maxLength:"35" pattern:"^([0-9][A-Z][A-Z][0-9A-Z()\\-/]{6,32}|GB/[0-9A-Z]{3,4}-[0-9A-Z]{5,28}|GB/[0-9A-Z]{9,12}-[0-9A-Z]{1,23}|A:[0-9A-Z]{3}[0-9]{8}|C:[A-Z]{3}[0-9A-Z]{3,30})$" doc:"Master UCR of the consolidation; the one that is declared when left out" example:"GB/123456789012-0203N1"`
	Remove    bool   `json:"remove,omitempty" doc:"Of ASSOCIATE: take the DUCR out of its consolidation instead"`
	OccursAt  string `json:"occursAt,omitempty" format:"date-time" doc:"When the goods are expected, have arrived or have departed. Required for these kinds" example:"2026-12-01T09:00:00.000Z"`

	Location     *PresentedLocation `json:"location,omitempty" doc:"Where the goods are, in 17 characters together (DE 5/23); the declared location when left out"`
	Transport    *MovementTransport `json:"transport,omitempty" doc:"Means of transport; for a departure, the declared one at the border when left out"`
	ShedOperator string             `json:"shedOperator,omitempty" pattern:"^[A-Z0-9]{1,3}$" doc:"Identifier of the shed operator" example:"ABC"`
}

// MovementTransport is the means of transport of a movement.
type MovementTransport struct {
	ID          string `json:"id,omitempty" pattern:"^[!-~]([ -~]{0,33}[!-~])?$" doc:"Ship, flight or vehicle (DE 7/14)" example:"9811000"`
	Mode        string `json:"mode,omitempty" pattern:"^[1-9]$" doc:"Mode of transport at the border (DE 7/4): 1 sea, 2 rail, 3 road, 4 air" example:"1"`
	Nationality string `json:"nationality,omitempty" pattern:"^[A-Z]{2}$" doc:"Country of registration (DE 7/15)" example:"PA"`
}

// MovementDetail is a movement as it is stored with its transmission: what was sent.
type MovementDetail struct {
	Kind         string            `json:"kind"`
	UCR          string            `json:"ucr,omitempty"`
	UCRType      string            `json:"ucrType,omitempty"` // D or M
	UCRPart      string            `json:"ucrPart,omitempty"`
	MasterUCR    string            `json:"masterUcr,omitempty"`
	Remove       bool              `json:"remove,omitempty"`
	OccursAt     string            `json:"occursAt,omitempty"`
	Location     string            `json:"location,omitempty"`
	Transport    MovementTransport `json:"transport,omitzero"`
	ShedOperator string            `json:"shedOperator,omitempty"`
	Declared     []string          `json:"declared,omitempty"` // members that come from the declaration
}

// request returns the message to HMRC.
func (d *MovementDetail) request(reference string) inventory.Request {
	r := inventory.Request{
		Code: movementCodes[d.Kind], UCR: inventory.UCR{Number: d.UCR, Part: d.UCRPart, Type: d.UCRType}, Location: d.Location, ShedOperator: d.ShedOperator,
		Transport: inventory.Transport(d.Transport), Reference: reference,
	}
	at, _ := time.Parse(time.RFC3339, d.OccursAt) // checked
	switch d.Kind {
	case MovementDeparture:
		r.DepartsAt = at
	case MovementAnticipated, MovementArrival:
		r.ArrivesAt = at
	default:
		r.MasterUCR, r.Reference = d.MasterUCR, ""
	}
	return r
}

// MovementShown is a movement as the API shows it.
type MovementShown struct {
	ID             string             `json:"id" format:"uuid" doc:"Identifies the movement"`
	Kind           string             `json:"kind" enum:"ANTICIPATED_ARRIVAL,ARRIVAL,DEPARTURE,ASSOCIATE,SHUT" doc:"What was reported or requested"`
	Status         string             `json:"status" enum:"WAITING,UNKNOWN,REQUESTED,ACCEPTED,PARTLY_ACCEPTED,REFUSED" doc:"WAITING: it is being sent, or waits for a consent. UNKNOWN: HMRC gave no readable answer and may have received it. REQUESTED: HMRC received it. The others are HMRC's decision"`
	UCR            string             `json:"ucr,omitempty" doc:"DUCR or MUCR that it is about" example:"6GB123456789000-TWS01234"`
	UCRType        string             `json:"ucrType,omitempty" enum:"D,M" doc:"D: a DUCR, M: a MUCR" example:"D"`
	UCRPart        string             `json:"ucrPart,omitempty" doc:"Part number of the DUCR" example:"001A"`
	MasterUCR      string             `json:"masterUcr,omitempty" doc:"Master UCR of a consolidation" example:"GB/123456789012-0203N1"`
	Remove         bool               `json:"remove,omitempty" doc:"Whether the DUCR is taken out of its consolidation"`
	OccursAt       string             `json:"occursAt,omitempty" format:"date-time" doc:"When the goods are expected, have arrived or have departed" example:"2026-12-01T09:00:00.000Z"`
	GoodsLocation  string             `json:"goodsLocation,omitempty" doc:"Where the goods are" example:"GBAUDVRDOVDVR"`
	Transport      *MovementTransport `json:"transport,omitempty" doc:"Means of transport"`
	ShedOperator   string             `json:"shedOperator,omitempty" doc:"Identifier of the shed operator" example:"ABC"`
	Declared       []string           `json:"declared,omitempty" doc:"Members of the movement that were taken from the declaration"`
	Reference      string             `json:"reference,omitempty" doc:"Movement reference, which HMRC repeats in its answers; none for ASSOCIATE and SHUT" example:"TWS0123456789ABCDEFGHJ"`
	RequestedAt    string             `json:"requestedAt" format:"date-time" doc:"When HMRC received it or, before that, when it was requested" example:"2026-12-01T09:00:01.000Z"`
	ConversationID string             `json:"conversationId,omitempty" doc:"Identifies the movement in every message from HMRC" example:"a5f3c1de-6d1c-4f0e-9a52-2f1d8f0c6b7e"`
	Simulated      bool               `json:"simulated,omitempty" doc:"Whether the caller selected the outcome of the simulator"`
	AnsweredAt     string             `json:"answeredAt,omitempty" format:"date-time" doc:"When HMRC's latest message about it was received" example:"2026-12-01T09:00:03.000Z"`
	Reason         string             `json:"reason,omitempty" doc:"Why it was not accepted, if HMRC did not look at it" example:"Customs refused the movement: The accept header is missing or invalid"`
	Errors         []MovementError    `json:"errors,omitempty" doc:"Why HMRC refused it, or a part of it"`
	MovementResult
}

// MovementResult is what HMRC reported about a movement.
type MovementResult struct {
	CRC       *MovementCode   `json:"crc,omitempty" doc:"Result of the movement (CRC)"`
	ROE       *MovementCode   `json:"roe,omitempty" doc:"Route of the entry (ROE)"`
	SOE       *MovementCode   `json:"soe,omitempty" doc:"Status of the entry (SOE)"`
	ICS       *MovementCode   `json:"ics,omitempty" doc:"State of the entry in inventory control (ICS)"`
	MasterROE *MovementCode   `json:"masterRoe,omitempty" doc:"Route of the consolidation"`
	MasterSOE *MovementCode   `json:"masterSoe,omitempty" doc:"Status of the consolidation"`
	Entries   []MovementEntry `json:"entries,omitempty" doc:"Entries of the consolidation. Records in lists, in events and in webhooks leave them out"`
}

// MovementCode is a code of HMRC with its meaning.
type MovementCode struct {
	Code    string `json:"code" doc:"The code" example:"6"`
	Meaning string `json:"meaning,omitempty" doc:"Its meaning; absent if HMRC's published lists do not say" example:"No check"`
}

// MovementError is an error of a movement.
type MovementError struct {
	Code        string `json:"code" doc:"Error code of inventory linking" example:"13"`
	Title       string `json:"title" doc:"The error in a few words" example:"The goods have not arrived there"`
	Description string `json:"description" doc:"What to do" example:"Send the arrival at this location first, or correct the location of the departure."`
}

// MovementEntry is an entry of a consolidation.
type MovementEntry struct {
	UCR     string        `json:"ucr" doc:"DUCR of the entry" example:"6GB123456789000-TWS01234"`
	UCRPart string        `json:"ucrPart,omitempty" doc:"Part number" example:"001A"`
	ROE     *MovementCode `json:"roe,omitempty" doc:"Route of the entry (ROE)"`
	SOE     *MovementCode `json:"soe,omitempty" doc:"Status of the entry (SOE)"`
	ICS     *MovementCode `json:"ics,omitempty" doc:"State of the entry in inventory control (ICS)"`
}

// DeclarationMovements holds the movements of an export.
type DeclarationMovements struct {
	Movements []MovementShown `json:"movements,omitempty" doc:"Movements of an export, oldest first"`
}

// movementsOf returns the movements of a declaration with what HMRC answered, oldest first. One that was sent again under the same
// reference is listed once.
func movementsOf(ts []Transmission, messages []Message) (all []MovementShown) {
	for i := range ts {
		t := &ts[i]
		later := func(o Transmission) bool { return o.Purpose == toMove && o.Reference == t.Reference }
		if t.Purpose != toMove || t.Detail.Movement == nil || slices.ContainsFunc(ts[i+1:], later) {
			continue
		}
		all = append(all, shownMovement(ts[:i+1], t, messages))
	}
	return all
}

// shownMovement returns a movement; attempts contains the transmissions until its last one.
func shownMovement(attempts []Transmission, t *Transmission, messages []Message) MovementShown {
	d := t.Detail.Movement
	at := t.CompletedAt
	if at.IsZero() {
		at = t.CreatedAt
	}
	s := MovementShown{
		ID: t.ID, Kind: d.Kind, UCR: d.UCR, UCRType: d.UCRType, UCRPart: d.UCRPart, MasterUCR: d.MasterUCR, Remove: d.Remove, OccursAt: d.OccursAt,
		GoodsLocation: d.Location, ShedOperator: d.ShedOperator, Declared: d.Declared, RequestedAt: audit.Instant(at), ConversationID: t.ConversationID,
		Simulated: t.Request.SimulatedBy != "", Reason: t.Reason(),
	}
	if d.Transport != (MovementTransport{}) {
		s.Transport = &d.Transport
	}
	if d.Kind != MovementAssociate && d.Kind != MovementShut {
		s.Reference = t.Reference
	}
	s.Status = map[outbox.State]string{outbox.Unknown: MovementUnknown, outbox.Sent: MovementRequested, outbox.Refused: MovementRefused}[t.State]
	if s.Status == "" {
		s.Status = MovementWaiting
	}
	for _, m := range messages {
		answers := func(o Transmission) bool {
			return o.Purpose == toMove && o.Reference == t.Reference && o.ConversationID == m.ConversationID
		}
		if m.Movement != nil && slices.ContainsFunc(attempts, answers) {
			s.answer(&m)
		}
	}
	return s
}

// answer adds a message of HMRC. An acceptance outweighs a refusal whatever their order, because a movement that was sent again
// may be refused the second time.
func (s *MovementShown) answer(m *Message) {
	r := m.Movement
	s.AnsweredAt = audit.Instant(m.ReceivedAt)
	status := MovementAccepted
	if r.Kind == inventory.ControlResponse {
		status = map[string]string{inventory.ActionProcessed: MovementAccepted, inventory.ActionPartly: MovementPartly, inventory.ActionRejected: MovementRefused}[r.ActionCode]
	}
	if slices.Index(decisions, status) > slices.Index(decisions, s.Status) {
		s.Status, s.Reason, s.Errors = status, "", nil
	}
	if status == s.Status {
		for _, code := range r.Errors {
			e := inventory.Explain(code)
			if !slices.ContainsFunc(s.Errors, func(known MovementError) bool { return known.Code == code }) {
				s.Errors = append(s.Errors, MovementError{Code: code, Title: e.Title, Description: e.Fix})
			}
		}
	}
	s.report(r)
}

// decisions are the decisions of HMRC, those that outweigh others last.
var decisions = []string{MovementRefused, MovementAccepted, MovementPartly}

// report takes over the codes of a message. A code that it does not have stays as it was.
func (s *MovementShown) report(r *inventory.Response) {
	noteCode(&s.CRC, r.CRC, inventory.CRCMeaning)
	noteCode(&s.MasterROE, r.MasterROE, inventory.ROEMeaning)
	noteCode(&s.MasterSOE, r.MasterSOE, inventory.MasterSOEMeaning)
	status := r.Status
	for _, e := range r.Entries {
		if e.UCR.Number == s.UCR {
			status = e.Status
		}
	}
	noteCode(&s.ROE, status.ROE, inventory.ROEMeaning)
	noteCode(&s.SOE, status.SOE, s.meaningOfSOE())
	noteCode(&s.ICS, status.ICS, inventory.ICSMeaning)
	if r.Entries == nil {
		return
	}
	s.Entries = nil
	for _, e := range r.Entries {
		shown := MovementEntry{UCR: e.UCR.Number, UCRPart: e.UCR.Part}
		noteCode(&shown.ROE, e.Status.ROE, inventory.ROEMeaning)
		noteCode(&shown.SOE, e.Status.SOE, inventory.SOEMeaning)
		noteCode(&shown.ICS, e.Status.ICS, inventory.ICSMeaning)
		s.Entries = append(s.Entries, shown)
	}
}

// meaningOfSOE returns the meanings of the status of what the movement is about.
func (s *MovementShown) meaningOfSOE() func(string) string {
	if s.UCRType == inventory.TypeMaster {
		return inventory.MasterSOEMeaning
	}
	return inventory.SOEMeaning
}

func noteCode(into **MovementCode, code string, meaning func(string) string) {
	if code != "" {
		*into = &MovementCode{Code: code, Meaning: meaning(code)}
	}
}

// withoutEntries returns the movements without their entries, as a record has them.
func withoutEntries(all []MovementShown) []MovementShown {
	short := slices.Clone(all)
	for i := range short {
		short[i].Entries = nil
	}
	return short
}
