package emcssim

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
)

// Submit takes a message. What is answered with another status than 202 changes nothing.
func (s *Simulator) Submit(c Call) Answer {
	m, err := emcs.Decode(c.Document)
	if err != nil {
		return unreadable(err)
	}
	submit := s.submitLater
	if c.Movement == "" {
		submit = s.submitDraft
	}
	answer := submit(c, m)
	if answer.Status == http.StatusAccepted {
		s.calls = append(s.calls, c)
	}
	return answer
}

func unreadable(err error) Answer {
	switch {
	case errors.Is(err, emcs.ErrMessage):
		return refuse(http.StatusBadRequest, "Invalid message type", err.Error())
	case errors.Is(err, emcs.ErrVersion), errors.Is(err, emcs.ErrStructure):
		return refuse(http.StatusBadRequest, "Not valid message", err.Error())
	}
	return refuse(http.StatusBadRequest, "XML error", err.Error())
}

func (s *Simulator) submitDraft(c Call, m emcs.Message) Answer {
	if m.Kind != emcs.Draft {
		return refuse(http.StatusBadRequest, "Invalid message type", fmt.Sprintf("Message type %s cannot be sent to this endpoint", m.Kind))
	}
	made := &movement{
		at: c.At, draft: m, lrn: m.Body.Value("EadEsadDraft", "LocalReferenceNumber"),
		consignor: m.Body.Value("ConsignorTrader", "TraderExciseNumber"), consignee: m.Body.Value("ConsigneeTrader", "Traderid"),
	}
	if !c.holds(made.consignor) {
		return refuse(http.StatusForbidden, "ERN validation error", "Excise number in message does not match authenticated excise number")
	}
	if answer, valid := checkDocument(c, m); !valid {
		return answer
	}
	steering, known := steer(c.Simulate)
	if !known {
		return refuse(http.StatusBadRequest, "Invalid request", "X-Simulate must be one of: "+SteeringForms)
	}
	same := func(o *movement) bool { return o.lrn == made.lrn && o.consignor == made.consignor && !o.refused() }
	if earlier := s.find(same); earlier != nil && earlier.arc != "" {
		return refuse(http.StatusBadRequest, "Duplicate LRN error", "The local reference number "+made.lrn+" has already been used for another movement")
	} else if earlier != nil {
		return earlier.accepted()
	}
	made.id = uuid(c.At, "movement", made.consignor, made.lrn, len(s.movements))
	s.movements = append(s.movements, made)
	made.begin(c.At, steering)
	return made.accepted()
}

// refused reports whether the draft was refused, so that its LRN is free again.
func (m *movement) refused() bool {
	return m.arc == "" && slices.ContainsFunc(m.deliveries, func(d Delivery) bool { return d.Message.Kind == emcs.Refusal })
}

// holds reports whether the caller may act for an excise number.
func (c Call) holds(ern string) bool { return len(c.ERNs) == 0 || slices.Contains(c.ERNs, ern) }

// checkDocument checks the schema and HMRC's rules.
func checkDocument(c Call, m emcs.Message) (Answer, bool) {
	if found := rulebook.Check(m, c.At); len(found) > 0 {
		answer := refuse(http.StatusUnprocessableEntity, "Validation error", "Validation error(s) occurred")
		answer.Findings = found
		return answer, false
	}
	return Answer{}, true
}

// laterKinds are the messages that follow a draft.
var laterKinds = []emcs.Kind{emcs.Cancellation, emcs.DestinationChange, emcs.Receipt, emcs.Alert, emcs.Delay, emcs.Shortage}

func (s *Simulator) submitLater(c Call, m emcs.Message) Answer {
	to := s.find(func(o *movement) bool { return o.id == c.Movement })
	if to == nil {
		return refuse(http.StatusNotFound, "Movement not found", "Movement "+c.Movement+" could not be found")
	}
	if !slices.Contains(laterKinds, m.Kind) {
		return refuse(http.StatusBadRequest, "Message type is invalid", fmt.Sprintf("The supplied message type %s is not supported", m.Kind))
	}
	if answer, fits := to.fits(c, m); !fits {
		return answer
	}
	if answer, valid := checkDocument(c, m); !valid {
		return answer
	}
	steering, known := steer(c.Simulate)
	if !known {
		return refuse(http.StatusBadRequest, "Invalid request", "X-Simulate must be one of: "+SteeringForms)
	}
	to.follow(c.At, m, steering)
	return to.accepted()
}

// fits reports whether a message belongs to the movement and its sender may send it.
func (m *movement) fits(c Call, later emcs.Message) (Answer, bool) {
	const mismatch = "Message does not match movement"
	if arcOf(later) != m.arc || m.arc == "" {
		return refuse(http.StatusBadRequest, mismatch, "The ARC in the message does not match the ARC in the movement"), false
	}
	role, sender, given := senderOf(later, m)
	if given == "" {
		return refuse(http.StatusBadRequest, "Message missing key information", "The "+role+" in the message should not be empty"), false
	}
	if given != sender {
		return refuse(http.StatusBadRequest, mismatch, "The "+role+" in the message does not match the "+role+" in the movement"), false
	}
	if !c.holds(sender) {
		return refuse(http.StatusForbidden, "Message cannot be sent", "The "+role+" is not authorised to submit this message for the movement"), false
	}
	return Answer{}, true
}

// Roles of senders in HMRC's texts.
const (
	theConsignor = "Consignor"
	theConsignee = "Consignee"
)

// senderOf returns the role of the sender of a message, the party of the movement in that role, and the one that the message names.
func senderOf(later emcs.Message, m *movement) (role, party, given string) {
	b := later.Body
	switch later.Kind {
	case emcs.Receipt, emcs.Alert:
		return theConsignee, m.consignee, b.Value("ConsigneeTrader", "Traderid")
	case emcs.Delay:
		given = b.Value("Attributes", "SubmitterIdentification")
	case emcs.Shortage:
		given = b.Value("ConsignorTrader", "TraderExciseNumber") + b.Value("ConsigneeTrader", "Traderid")
	default:
		return theConsignor, m.consignor, m.consignor
	}
	if b.Value("Attributes", "SubmitterType") == "1" {
		return theConsignor, m.consignor, given
	}
	return theConsignee, m.consignee, given
}

// arcGroups are the groups with the ARC.
var arcGroups = map[emcs.Kind]string{emcs.Cancellation: "ExciseMovementEad", emcs.DestinationChange: "UpdateEadEsad"}

func arcOf(m emcs.Message) string {
	group, special := arcGroups[m.Kind]
	if !special {
		group = "ExciseMovement"
	}
	return m.Body.Value(group, "AdministrativeReferenceCode")
}

// steering is the outcome that a caller asked for.
type steering struct {
	silent bool
	reject string // number of an error; empty for none
}

// SteeringForms lists the values of X-Simulate, for error messages and documentation.
const SteeringForms = "accept, silent, reject, or reject with an error number such as reject 4402"

// defaultError is the number of a refusal that was asked for without one: a value that is not valid.
const defaultError = "4401"

func steer(text string) (s steering, known bool) {
	word, number, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	switch {
	case word == "reject" && number == "":
		return steering{reject: defaultError}, true
	case word == "reject":
		return steering{reject: number}, len(number) == 4 && strings.Trim(number, "0123456789") == ""
	case number != "":
		return steering{}, false
	}
	return steering{silent: word == "silent"}, word == "" || word == "accept" || word == "silent"
}
