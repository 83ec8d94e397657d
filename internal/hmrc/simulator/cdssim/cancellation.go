package cdssim

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// cancel accepts a cancellation request. CDS answers in a conversation of its own and sends the consequences in the
// conversation of the declaration.
func (s *Simulator) cancel(r simulator.Request, document []byte) (string, error) {
	d, err := decode(document)
	if err == nil {
		err = checkRequest(&d)
	}
	if err == nil && r.Simulate != "" && r.Simulate != simulator.Grant && r.Simulate != simulator.Deny {
		err = badDecision
	}
	if err != nil {
		return "", err
	}
	return s.acceptRequest(&d, r, s.openRequest)
}

// opener adds a request about a declaration to the registry. It returns the declaration that goes on or changes, or nil.
type opener func(*wco.Declaration, simulator.Request) (request, original *conversation, written *simulator.Batch, err error)

// acceptRequest stores a request before its first message is sent. It returns the conversation ID of the request.
func (s *Simulator) acceptRequest(d *wco.Declaration, r simulator.Request, open opener) (string, error) {
	s.mu.Lock()
	before := s.registry.state(d.ID)
	request, original, written, err := open(d, r)
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	if err := s.journal.Commit(written); err != nil {
		s.remove(request)
		if original != nil {
			s.restore(before)
		}
		return "", err
	}
	s.wake(request)
	if original != nil {
		s.wake(original)
	}
	return request.ID, nil
}

// checkRequest checks the schema of cancellation requests, which is stricter than that of declarations.
func checkRequest(d *wco.Declaration) error {
	switch {
	case d.FunctionCode != wco.FunctionRequest:
		return invalidSchema(enumeration("FunctionCode", d.FunctionCode, wco.FunctionRequest))
	case d.TypeCode != wco.TypeInvalidation:
		return invalidSchema(enumeration("TypeCode", d.TypeCode, wco.TypeInvalidation))
	case d.ID == "":
		return invalidSchema(incomplete("Declaration", "ID"))
	case len(d.AdditionalInformation) == 0:
		return invalidSchema(incomplete("Declaration", "AdditionalInformation"))
	case len(d.Amendment) == 0:
		return invalidSchema(incomplete("Declaration", "Amendment"))
	}
	return nil
}

// openRequest adds the request to the registry. It returns the declaration that it changes, or nil.
func (s *Simulator) openRequest(d *wco.Declaration, r simulator.Request) (request, original *conversation, written *simulator.Batch, err error) {
	if !s.registry.evict() {
		return nil, nil, nil, unavailable
	}
	now, number := s.options.Clock(r.Organisation).UTC(), s.registry.count+1
	dice := s.randomnessFor("conversation", number)
	request = &conversation{
		Number: number, ID: dice.conversationID(), At: now, Request: true,
		LRN: d.FunctionalReferenceID, MRN: d.ID, Delay: s.options.Delay,
		Organisation: r.Organisation, Steered: r.Simulate,
	}
	original, known := s.registry.byMRN[d.ID]
	if known {
		request.Delay, request.Submitter = original.Delay, original.Submitter
	}
	answer := answerTo(original, r.Simulate)
	draft := message{lrn: request.LRN, mrn: request.MRN, flaws: []flaw{{Code: notCancellable, Pointer: "42A.D014"}}}
	request.Messages = s.applyFaults(messages(answer, draft, now, request.Delay, dice), dice)
	opened := record{Opened: request}
	if answer == granted {
		opened.Cancelled = s.cancellation(original, d.AdditionalInformation[0].StatementDescription, now, dice)
	} else {
		original = nil
	}
	return request, original, s.record(opened), nil
}

// badDecision is the answer to a header that selects no decision.
var badDecision = &refusal{
	status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "The header " + simulator.SteeringHeader + " of a cancellation request must be grant or deny.",
}

// answerTo returns the answer to a request for a declaration, or for none. The header takes precedence over the steering of
// the declaration.
func answerTo(original *conversation, simulate string) course {
	switch {
	case original == nil, original.Rejected, original.Cancelled, original.hasSent("03"), original.hasSent("10"):
		return rejected
	case simulate == simulator.Grant:
		return granted
	case simulate == simulator.Deny, original.DeniesCancellation:
		return denied
	}
	return granted
}

// cancellation ends a declaration: messages that were not sent yet are dropped.
func (s *Simulator) cancellation(c *conversation, reason string, now time.Time, dice randomness) *cancellation {
	end := cancelledBeforeAcceptance
	if c.hasSent("01") {
		end = cancelledAfterAcceptance
	}
	last := messages(end, message{lrn: c.LRN, mrn: c.MRN, reason: reason}, now.Add(c.Delay), c.Delay, dice)
	last[0].Wait = 2 * c.Delay // the request is answered first
	return &cancellation{Conversation: c.ID, Kept: c.sentMessages(), Messages: last}
}
