package cdssim

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

const presentPath = "/customs/declarations/arrival-notification"

// wrongState is the error code of a request about a declaration that is not in a state to take it.
const wrongState = "CDS12015"

// continuation ends the wait of a registered declaration for its goods: the messages follow those that it has.
type continuation struct {
	Conversation string            `json:"conversation"`
	Messages     []outgoingMessage `json:"letters"`
}

// awaitsGoods reports whether a declaration is registered and goes on only after its goods are presented.
func awaitsGoods(d *wco.Declaration, c course) bool {
	return isPrelodged(d) && c == registered
}

// present accepts the notification that the goods of a pre-lodged declaration have arrived. It is answered in its own
// conversation; the declaration goes on in that of the declaration.
func (s *Simulator) present(r simulator.Request, document []byte) (string, error) {
	d, err := decode(document)
	switch {
	case err != nil:
		return "", err
	case d.FunctionCode != wco.FunctionRequest:
		return "", invalidSchema(enumeration("FunctionCode", d.FunctionCode, wco.FunctionRequest))
	case d.TypeCode != wco.TypePresentation:
		return "", invalidSchema(enumeration("TypeCode", d.TypeCode, wco.TypePresentation))
	case d.ID == "":
		return "", invalidSchema(incomplete("Declaration", "ID"))
	}
	return s.acceptRequest(&d, r, s.openPresentation)
}

// openPresentation adds the notification to the registry. It returns the declaration that goes on, or nil.
func (s *Simulator) openPresentation(d *wco.Declaration, r simulator.Request) (request, original *conversation, written *simulator.Batch, err error) {
	if !s.registry.evict() {
		return nil, nil, nil, unavailable
	}
	now, number := s.options.Clock(r.Organisation).UTC(), s.registry.count+1
	dice := s.randomnessFor("conversation", number)
	request = &conversation{
		Number: number, ID: dice.conversationID(), At: now, Request: true, LRN: d.FunctionalReferenceID, MRN: d.ID, Delay: s.options.Delay,
		Organisation: r.Organisation,
	}
	original, known := s.registry.byMRN[d.ID]
	answer := rejected
	if known {
		request.Delay, request.Submitter = original.Delay, original.Submitter
		if !original.Rejected && !original.Cancelled && !original.hasSent("01") && !original.hasSent("03") && !original.hasSent("10") {
			answer = registered
		}
	}
	draft := message{lrn: request.LRN, mrn: request.MRN, flaws: []flaw{{Code: wrongState, Pointer: "42A.D014"}}}
	request.Messages = s.applyFaults(messages(answer, draft, now, request.Delay, dice), dice)
	opened := record{Opened: request}
	if answer != registered || !original.Waits {
		return request, nil, s.record(opened), nil
	}
	if opened.Continued, err = s.arrive(original, r, dice); err != nil {
		return nil, nil, nil, err
	}
	return request, original, s.record(opened), nil
}

// arrive returns the messages of a declaration from the arrival of its goods on, issued after the answer to the
// notification.
func (s *Simulator) arrive(c *conversation, r simulator.Request, dice randomness) (*continuation, error) {
	d, err := c.declaration()
	if err != nil {
		return nil, err
	}
	now := s.options.Clock(r.Organisation).UTC()
	v := validation{course: courseOf(&d, true).without(string(registered))}
	v.draft = message{lrn: c.LRN, mrn: c.MRN, account: account(&d), exitOffice: d.ExitOffice.ID, version: c.Version}
	if v.course.has("13") {
		v.draft.taxes, _ = s.assess(&d, now)
		v.draft.due = payable(v.draft.taxes)
	}
	all := messages(v.course, v.draft, now.Add(c.Delay), c.Delay, dice)
	if len(all) > 0 {
		all[0].Wait = 2 * c.Delay // the notification is answered first
	}
	return &continuation{Conversation: c.ID, Messages: s.applyFaults(all, dice)}, nil
}

func (b *registry) proceed(t *continuation) {
	c, known := b.byID[t.Conversation]
	if !known {
		return
	}
	b.backlog += size(t.Messages)
	c.Messages = append(slices.Clip(c.Messages), t.Messages...)
	c.Waits = false
}
