package cdssim

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

const movementPath = "/customs/inventory-linking/exports/"

// furthestAhead is how far the time of an arrival or a departure may be ahead (error 20).
const furthestAhead = 25 * time.Hour

var badMovementOutcome = &refusal{
	status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "The header " + simulator.SteeringHeader + " of a movement must be one of: " + simulator.MovementForms + ".",
}

// serveMovement accepts a movement or a consolidation of exports. This API has no version 3.
func (s *Simulator) serveMovement(w http.ResponseWriter, r *http.Request, fault simulator.Fault) {
	if r.Header.Get("Accept") == cds.Version3 {
		s.answerError(w, notAcceptable)
		return
	}
	s.serveDocument(w, r, fault, s.move)
}

// decodeMovement decodes a request, or returns the error answer.
func decodeMovement(document []byte) (inventory.Request, error) {
	m, err := inventory.DecodeRequest(document)
	var misfit *inventory.SchemaError
	switch {
	case err == nil:
		return m, nil
	case !errors.As(err, &misfit):
		return m, notWellFormed
	case errors.Is(misfit, inventory.ErrMissing):
		return m, invalidSchema(incomplete(misfit.Parent, misfit.Element))
	case errors.Is(misfit, inventory.ErrValue):
		return m, invalidSchema(fmt.Sprintf("cvc-type.3.1.3: The value '%s' of element '%s' is not valid.", misfit.Value, misfit.Element))
	}
	return m, invalidSchema(fmt.Sprintf("cvc-complex-type.2.4.a: Invalid content was found starting with element '%s'.", misfit.Element))
}

// movement is a request while it is judged and carried out.
type movement struct {
	inventory.Request
	organisation string
	now          time.Time
	outcome      string // that the header asks for; empty for none
	errorCode    string // of a steered refusal
	changes      []consignment
	continues    []*continuation
}

// move accepts a request about a movement. It is answered in a conversation of its own; the declarations of the goods go on in
// theirs.
func (s *Simulator) move(r simulator.Request, document []byte) (string, error) {
	request, err := decodeMovement(document)
	if err != nil {
		return "", err
	}
	m := movement{Request: request, organisation: r.Organisation, now: s.options.Clock(r.Organisation).UTC()}
	if r.Simulate != "" {
		known := false
		if m.outcome, m.errorCode, known = simulator.MovementFromHeader(r.Simulate); !known {
			return "", badMovementOutcome
		}
	}
	s.mu.Lock()
	c, written, undo, err := s.openMovement(&m, r)
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	if err := s.journal.Commit(written); err != nil {
		s.mu.Lock()
		s.registry.remove(c)
		undo()
		s.mu.Unlock()
		return "", err
	}
	s.wake(c)
	for _, next := range m.continues {
		s.mu.Lock()
		declaration := s.registry.byID[next.Conversation]
		s.mu.Unlock()
		if declaration != nil {
			s.wake(declaration)
		}
	}
	return c.ID, nil
}

// openMovement judges a movement, carries it out and adds its conversation. undo reverts what it changes.
func (s *Simulator) openMovement(m *movement, r simulator.Request) (c *conversation, written *simulator.Batch, undo func(), err error) {
	if !s.registry.evict() {
		return nil, nil, nil, unavailable
	}
	number := s.registry.count + 1
	dice := s.randomnessFor("conversation", number)
	c = &conversation{
		Number: number, ID: dice.conversationID(), At: m.now, Request: true, LRN: m.Reference, Delay: s.options.Delay, Organisation: r.Organisation, Steered: r.Simulate,
	}
	code := m.errorCode
	switch m.outcome {
	case "":
		code = s.registry.judge(m)
	case simulator.RejectMovement:
		if code == "" {
			code = inventory.ErrorUnknownUCR
		}
	}
	if code == "" && m.outcome != simulator.SilentMovement {
		if err := s.carryOut(m, r, dice); err != nil {
			return nil, nil, nil, err
		}
	}
	if m.outcome != simulator.SilentMovement {
		if c.Messages, err = s.answersTo(m, code, dice); err != nil {
			return nil, nil, nil, err
		}
	}
	undo = s.registry.remember(m)
	return c, s.record(record{Opened: c, Consignments: m.changes, Arrived: m.continues}), undo, nil
}

// carryOut computes what a movement changes.
func (s *Simulator) carryOut(m *movement, r simulator.Request, dice randomness) error {
	b := s.registry
	switch m.Code {
	case inventory.CodeArrival:
		for _, k := range b.tree(m.organisation, m.UCR.Number) {
			k.Arrived, k.Location = true, m.Location
			m.changes = append(m.changes, k)
			if declaration := b.byMRN[k.MRN]; k.MRN != "" && declaration != nil && declaration.Waits {
				next, err := s.arrive(declaration, r, dice)
				if err != nil {
					return err
				}
				m.continues = append(m.continues, next)
			}
		}
	case inventory.CodeDeparture:
		for _, k := range b.tree(m.organisation, m.UCR.Number) {
			k.Arrived, k.Departed = false, true
			m.changes = append(m.changes, k)
			if declaration := b.byMRN[k.MRN]; k.MRN != "" && declaration != nil && !declaration.has("16") {
				m.continues = append(m.continues, s.depart(declaration, m.now, dice))
			}
		}
	case inventory.CodeAssociate, inventory.CodeShut:
		m.changes = b.consolidate(m)
	}
	return nil
}

// has reports whether a message is or will be sent.
func (c *conversation) has(code string) bool {
	for _, l := range c.Messages {
		if l.Code == code {
			return true
		}
	}
	return false
}

// depart returns the message that the goods of a declaration have left.
func (s *Simulator) depart(c *conversation, now time.Time, dice randomness) *continuation {
	draft := message{lrn: c.LRN, mrn: c.MRN, version: c.version()}
	if d, err := c.declaration(); err == nil {
		draft.exitOffice = d.ExitOffice.ID
	}
	all := messages("16", draft, now.Add(c.Delay), c.Delay, dice)
	all[0].Wait = 2 * c.Delay // the movement is answered first
	return &continuation{Conversation: c.ID, Messages: s.applyFaults(all, dice)}
}

// answersTo returns the messages about a movement: that it is refused, or that it is processed with the status of the goods.
func (s *Simulator) answersTo(m *movement, code string, dice randomness) ([]outgoingMessage, error) {
	control := inventory.Response{Kind: inventory.ControlResponse, MessageCode: m.Code, ActionCode: inventory.ActionProcessed, UCR: m.UCR, Reference: m.Reference}
	answers := []inventory.Response{control}
	switch {
	case code != "":
		answers[0].ActionCode, answers[0].Errors = inventory.ActionRejected, []string{code}
	case m.Code == inventory.CodeArrival || m.Code == inventory.CodeDeparture:
		answers = append(answers, s.registry.report(m))
		if m.UCR.Type == inventory.TypeMaster {
			answers = append(answers, s.registry.totals(m))
		}
	}
	var all []outgoingMessage
	for _, a := range answers {
		body, err := a.Encode()
		if err != nil {
			return nil, err
		}
		all = append(all, outgoingMessage{ID: dice.messageID(), Code: a.Kind, Wait: s.options.Delay, Body: body})
	}
	return s.applyFaults(all, dice), nil
}

// report returns the result of an arrival or a departure.
func (b *registry) report(m *movement) inventory.Response {
	r := inventory.Response{Kind: inventory.MovementResponse, MessageCode: m.Code, CRC: "000", Location: m.Location, ShedOperator: m.ShedOperator, Reference: m.Reference, UCR: m.UCR}
	if !m.ArrivesAt.IsZero() {
		r.ArrivedAt = m.ArrivesAt.UTC().Format(time.RFC3339)
	}
	if len(m.changes) > 0 {
		r.Status = b.status(&m.changes[0])
	}
	return r
}

// totals returns the totals of a consolidation.
func (b *registry) totals(m *movement) inventory.Response {
	r := inventory.Response{Kind: inventory.TotalsResponse, MessageCode: "EMR", CRC: "000", Location: m.Location, MasterUCR: m.UCR.Number, ShedOperator: m.ShedOperator, Reference: m.Reference}
	if !m.ArrivesAt.IsZero() {
		r.ArrivedAt = m.ArrivesAt.UTC().Format(time.RFC3339)
	}
	for i := range m.changes {
		k := &m.changes[i]
		if k.UCR == m.UCR.Number {
			r.MasterROE, r.MasterSOE = b.status(k).ROE, b.status(k).SOE
		} else if k.MRN != "" && len(r.Entries) < maxEntries {
			r.Entries = append(r.Entries, inventory.Entry{UCR: inventory.UCR{Number: k.UCR, Type: inventory.TypeDeclaration}, Status: b.status(k)})
		}
	}
	r.DeclarationCount = strconv.Itoa(len(r.Entries))
	return r
}

// maxEntries is the schema's limit of the entries of totals.
const maxEntries = 999
