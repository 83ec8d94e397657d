package emcssim

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// begin sends what a draft gets.
func (m *movement) begin(at time.Time, s steering) {
	story, told := stories[m.lrn]
	number, location := unknownCode(m.draft)
	switch {
	case s.silent:
	case s.reject != "":
		m.refuseDraft(at, s.reject, m.lrnLocation())
	case number != "":
		m.refuseDraft(at, number, location)
	case told:
		m.tell(at, story)
	default:
		m.accept(at)
	}
}

// accept gives the movement its ARC and sends the IE801 to both parties.
func (m *movement) accept(at time.Time) {
	country := m.consignor[:2]
	m.arc, m.sequence = randomFor(at, "arc", m.consignor, m.lrn, m.id).ARC(at.Year(), country), 1
	m.container = containerOf(m.draft.Body, m.arc, at)
	m.send(at, m.message(at, emcs.Accepted, m.container.Clone()), m.consignor, m.consignee)
}

// follow sends what a later message gets.
func (m *movement) follow(at time.Time, later emcs.Message, s steering) {
	if s.silent {
		return
	}
	at = m.notBefore(at)
	number, location := s.reject, ""
	if number == "" {
		number, location = m.judge(at, later)
	}
	if number != "" {
		m.refuseLater(at, later, number, location)
		return
	}
	if later.Kind == emcs.DestinationChange {
		m.divert(at, later)
		return
	}
	m.send(at, m.message(at, later.Kind, stamped(later, at)), m.consignor, m.consignee)
}

// notBefore returns a time, or that of the latest message if it is later: the messages of a story are a second apart, and a clock may stand still.
func (m *movement) notBefore(at time.Time) time.Time {
	if latest := m.updatedAt(); latest.After(at) {
		return latest
	}
	return at
}

// divert changes the destination: both get the change, the new parties an IE801, and a consignee who no longer is one an IE803.
func (m *movement) divert(at time.Time, change emcs.Message) {
	first, old := m.consignee, m.sequence
	m.sequence++
	m.container = changed(m.container, change.Body, m.sequence, at)
	m.consignee = m.container.Value("ConsigneeTrader", "Traderid")
	body := stamped(change, at)
	set(body, strconv.Itoa(m.sequence), "UpdateEadEsad", "SequenceNumber")
	m.send(at, m.message(at, emcs.DestinationChange, body), m.consignor)
	if first != m.consignee && first != "" {
		m.send(at, m.message(at, emcs.Diverted, notification(m.arc, old, at)), first)
	}
	m.send(at, m.message(at, emcs.Accepted, m.container.Clone()), m.consignor, m.consignee)
}

// lrnLocation is the location of the LRN in the draft.
func (m *movement) lrnLocation() string {
	return m.draft.Location("EadEsadDraft", "LocalReferenceNumber")
}

// refuseDraft sends an IE704 about the draft to the consignor.
func (m *movement) refuseDraft(at time.Time, number, location string) {
	body := emcs.Group("GenericRefusalMessage", emcs.Group("Attributes", emcs.Leaf("LocalReferenceNumber", m.lrn)),
		functionalError(number, location))
	refusal := m.message(at, emcs.Refusal, body)
	refusal.Header.Correlation = m.draft.Header.Identifier
	m.send(at, refusal, m.consignor)
}

// refuseLater sends an IE704 about a later message to its sender.
func (m *movement) refuseLater(at time.Time, later emcs.Message, number, location string) {
	_, sender, _ := senderOf(later, m)
	body := emcs.Group("GenericRefusalMessage", emcs.Group("Attributes", emcs.Leaf("AdministrativeReferenceCode", m.arc), emcs.Leaf("SequenceNumber", strconv.Itoa(m.sequence))),
		functionalError(number, location))
	refusal := m.message(at, emcs.Refusal, body)
	refusal.Header.Correlation = later.Header.Identifier
	m.send(at, refusal, sender)
}

// message returns a message of the authority. Its identifier depends on the movement and on the number of messages before it.
func (m *movement) message(at time.Time, kind emcs.Kind, body *emcs.Element) emcs.Message {
	m.sent++
	header := emcs.Between(m.consignor, m.consignee, at, fmt.Sprintf("SIM-%s-%d", m.id[:8], m.sent))
	return emcs.Message{Kind: kind, Version: m.draft.Version, Header: header, Body: body}
}

// country returns the country of an excise number; GB if there is none.
func country(ern string) string {
	if len(ern) < 2 {
		return "GB"
	}
	return ern[:2]
}

// send delivers a message to parties; an empty party gets none, and one who is both gets one.
func (m *movement) send(at time.Time, message emcs.Message, parties ...string) {
	last := ""
	for _, party := range parties {
		if party != "" && party != last {
			m.deliveries = append(m.deliveries, Delivery{Movement: m.id, Recipient: party, At: at, Message: message})
		}
		last = party
	}
}
