package cdssim

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amended"
)

const (
	amendPath      = "/customs/declarations/amend"
	typeCorrection = "COR"
)

// Error codes of requests for amendment alone.
const (
	otherSubmitter = "CDS11007"
	notAmendable   = "CDS11012"
	amendedTwice   = "CDS12026"
	unanswered     = "CDS12036" // the previous request
	unchecked      = "CDS13000" // a note, not an error
)

// replacement is a declaration as an amendment changes it: the first Kept messages stay, the others are written again.
type replacement struct {
	Conversation string            `json:"conversation"`
	Kept         int               `json:"kept"`
	Messages     []outgoingMessage `json:"letters"`
	Declared     []byte            `json:"declared"` // nil if the simulator no longer has the declaration
	Version      int               `json:"version"`
}

var badAmendmentDecision = &refusal{
	status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "The header " + simulator.SteeringHeader + " of an amendment must be grant or deny.",
}

// amend accepts a request for amendment. It is answered in its own conversation; the declaration goes on in that of the
// declaration.
func (s *Simulator) amend(r simulator.Request, document []byte) (string, error) {
	d, err := decode(document)
	switch {
	case err != nil:
		return "", err
	case d.FunctionCode != wco.FunctionRequest:
		return "", invalidSchema(enumeration("FunctionCode", d.FunctionCode, wco.FunctionRequest))
	case d.TypeCode != typeCorrection:
		return "", invalidSchema(enumeration("TypeCode", d.TypeCode, typeCorrection))
	case d.ID == "":
		return "", invalidSchema(incomplete("Declaration", "ID"))
	case r.Simulate != "" && r.Simulate != simulator.Grant && r.Simulate != simulator.Deny:
		return "", badAmendmentDecision
	}
	return s.acceptRequest(&d, r, s.openAmendment)
}

// openAmendment adds the request to the registry. It returns the declaration that it changes, or nil.
func (s *Simulator) openAmendment(d *wco.Declaration, r simulator.Request) (request, original *conversation, written *simulator.Batch, err error) {
	if !s.registry.evict() {
		return nil, nil, nil, unavailable
	}
	now, number := s.options.Clock(r.Organisation).UTC(), s.registry.count+1
	dice := s.randomnessFor("conversation", number)
	request = &conversation{
		Number: number, ID: dice.conversationID(), At: now, Request: true, Amends: true, LRN: d.FunctionalReferenceID, MRN: d.ID, Delay: s.options.Delay,
		Organisation: r.Organisation, Steered: r.Simulate,
	}
	original = s.registry.byMRN[d.ID]
	draft := message{lrn: request.LRN, mrn: request.MRN}
	if original != nil {
		request.Delay, request.Submitter, draft.version = original.Delay, original.Submitter, original.version()
	}
	before, after, notes, flaws := s.judge(original, d, r)
	answer := amendmentGranted
	switch draft.flaws, draft.notes = flaws, notes; {
	case len(flaws) > 0:
		answer = rejected
	case r.Simulate == simulator.Deny:
		answer = amendmentDenied
	}
	request.Messages = s.applyFaults(messages(answer, draft, now, request.Delay, dice), dice)
	opened := record{Opened: request}
	if answer != amendmentGranted {
		return request, nil, s.record(opened), nil
	}
	if opened.Replaced, err = s.replace(original, d, before, after, r, dice); err != nil {
		return nil, nil, nil, err
	}
	return request, original, s.record(opened), nil
}

// judge returns the declaration before and after the amendment, and why it is refused. Both are nil if the simulator no longer
// has the declaration, which the notes say.
func (s *Simulator) judge(original *conversation, request *wco.Declaration, r simulator.Request) (before, after *wco.Declaration, notes, flaws []flaw) {
	switch {
	case original == nil || original.Rejected || original.Cancelled || original.hasSent("03") || original.hasSent("10") || !original.hasSent("01") && !original.hasSent("02"):
		return nil, nil, nil, []flaw{{Code: wrongState, Pointer: "42A.D014"}}
	case original.Organisation != r.Organisation:
		return nil, nil, nil, []flaw{{Code: otherSubmitter, Pointer: "42A"}}
	case s.registry.amending(original.MRN):
		return nil, nil, nil, []flaw{{Code: unanswered, Pointer: "42A.D014"}}
	case len(request.Amendment) == 0:
		return nil, nil, nil, []flaw{{Code: missing, Pointer: "42A.06A"}}
	}
	if flaws := repeatedPointers(request); flaws != nil {
		return nil, nil, nil, flaws
	}
	declared, err := original.declaration()
	if err != nil {
		return nil, nil, []flaw{{Code: unchecked, Pointer: "42A", Text: "The simulator no longer has the declaration, so the amendment was not checked."}}, nil
	}
	changed, err := amended.By(&declared, request)
	var nowhere *amended.PointerError
	if errors.As(err, &nowhere) {
		return nil, nil, nil, []flaw{{Code: notAmendable, Pointer: nowhere.Pointer.String()}}
	}
	known, _ := s.inspectAmended(&declared, r) // of a declaration whose outcome was steered, which was not inspected
	flaws, notes = s.inspectAmended(&changed, r)
	return &declared, &changed, notes, slices.DeleteFunc(flaws, func(f flaw) bool { return slices.Contains(known, f) })
}

// repeatedPointers returns a flaw for each element that a request amends twice.
func repeatedPointers(request *wco.Declaration) (flaws []flaw) {
	seen := map[string]bool{}
	for _, p := range amended.Pointers(request) {
		if seen[p.Path()] {
			flaws = append(flaws, flaw{Code: amendedTwice, Pointer: p.String()})
		}
		seen[p.Path()] = true
	}
	return flaws
}

// replace returns the declaration after a granted amendment, with its messages. If the taxes change, those that are still to
// come state the new ones, and an accepted declaration is taxed again. What was changed is repeated before the clearance.
func (s *Simulator) replace(c *conversation, request, before, after *wco.Declaration, r simulator.Request, dice randomness) (*replacement, error) {
	kept := c.sentMessages()
	out := &replacement{Conversation: c.ID, Kept: kept, Version: max(c.Version, 1) + 1, Messages: slices.Clone(c.Messages[kept:])}
	if after == nil {
		return out, nil
	}
	document, err := after.Encode()
	if err != nil {
		return nil, fmt.Errorf("simulator: encoding an amended declaration: %w", err)
	}
	out.Declared = pack(document)
	now := s.options.Clock(r.Organisation).UTC()
	draft := message{lrn: c.LRN, mrn: c.MRN, account: account(after), exitOffice: after.ExitOffice.ID}
	changed := false
	if taxed(after) {
		draft.taxes, _ = s.assess(after, now)
		draft.due = payable(draft.taxes)
		was, _ := s.assess(before, now)
		changed = !taxed(before) || text(draft.taxes) != text(was)
	}
	if changed && c.hasSent("01") && !slices.ContainsFunc(out.Messages, isTax) {
		status := indicativeTax
		if slices.ContainsFunc(c.Messages[:kept], func(l outgoingMessage) bool { return l.Status == finalTax }) || c.hasSent("09") {
			status = finalTax
		}
		out.Messages = slices.Insert(out.Messages, 0, outgoingMessage{ID: dice.messageID(), Code: "13", Status: status, Wait: c.Delay})
	}
	c.rewrite(out, draft, now)
	c.repeat(out, request, draft, now, dice)
	return out, nil
}

// Function codes of a DMSRES and a DMSCLE.
const (
	corrected = "07"
	cleared   = "09"
)

// Statuses of a DMSTAX.
const (
	indicativeTax = "67"
	finalTax      = "4"
)

func isTax(l outgoingMessage) bool { return l.Code == "13" }

// rewritten are the messages that are written again for the next version of a declaration.
var rewritten = []string{"01", "05", "06", "08", "09", "13", "14", "15", "16", "51"}

// rewrite writes messages that are still to come for the new version, issued after the answer to the request. A repetition of
// a message that was sent stays as it is.
func (c *conversation) rewrite(next *replacement, draft message, now time.Time) {
	for n := range next.Messages {
		l := &next.Messages[n]
		known := slices.ContainsFunc(c.Messages[:next.Kept], func(sent outgoingMessage) bool { return sent.ID == l.ID })
		if n == 0 {
			l.Wait = max(l.Wait, 3*c.Delay) // the request is answered first
		}
		if known || !slices.Contains(rewritten, l.Code) || isTax(*l) && l.Status == "" {
			continue
		}
		m := draft
		m.id, m.code, m.status, m.issued = l.ID, l.Code, l.Status, now.Add(time.Duration(n+3)*c.Delay)
		m.version = next.Version
		if c.hasSent("02") && (c.hasSent("01") || slices.ContainsFunc(next.Messages[:n+1], func(l outgoingMessage) bool { return l.Code == "01" })) {
			m.version++ // the arrival of the goods made a version too
		}
		l.Body = m.render()
	}
}

// repeat adds what a granted request changed in a DMSRES before the clearance, if that is still to come.
func (c *conversation) repeat(next *replacement, request *wco.Declaration, draft message, now time.Time, dice randomness) {
	at := slices.IndexFunc(next.Messages, func(l outgoingMessage) bool { return l.Code == cleared })
	if at < 0 {
		return
	}
	m := draft
	m.id, m.code, m.version, m.amendments = dice.messageID(), corrected, next.Version, request.Amendment
	m.issued = now.Add(time.Duration(at+2) * c.Delay) // with the message before it
	wait := c.Delay
	if at == 0 {
		wait, next.Messages[0].Wait = next.Messages[0].Wait, c.Delay
	}
	next.Messages = slices.Insert(next.Messages, at, outgoingMessage{ID: m.id, Code: m.code, Wait: wait, Body: m.render()})
}

// version returns the version of a declaration at customs.
func (c *conversation) version() int {
	n := max(c.Version, 1)
	if c.hasSent("02") && c.hasSent("01") {
		n++
	}
	return n
}

// text returns assessments as they are written.
func text(all []assessment) string {
	p := &xmlWriter{}
	for i := range all {
		all[i].render(p)
	}
	return p.out.String()
}
