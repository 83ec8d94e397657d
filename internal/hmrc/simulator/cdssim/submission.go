package cdssim

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

const country = "GB" // of the office that assigns MRNs

// validation is the result of checking a declaration.
type validation struct {
	course course
	draft  message // common part of all its messages
	delay  time.Duration
	denies bool
	source string // of the steering; empty for none
	waits  bool   // for the presentation of the goods
}

// validate returns the steered result or, without steering, that of the inspection.
func (s *Simulator) validate(d *wco.Declaration, r simulator.Request) (validation, error) {
	v := validation{course: courseOf(d, r.DataSet == simulator.NoDataSet), delay: s.options.Delay}
	v.draft = message{lrn: d.FunctionalReferenceID, account: account(d), exitOffice: d.ExitOffice.ID}
	asked, steered, err := steer(d, r.Simulate)
	if err != nil {
		return v, err
	}
	if steered {
		v.course, v.denies, v.source = steeredCourse(d, asked), !asked.GrantCancellation, asked.Source
		v.draft.flaws = []flaw{steeredFlaw(asked)}
		if asked.HasDelay {
			v.delay = asked.Delay
		}
	} else if v.draft.flaws, v.draft.notes = s.inspect(d, r); len(v.draft.flaws) > 0 {
		v.course = rejected
	}
	v.waits = awaitsGoods(d, v.course)
	if v.course.has("13") {
		var notes []flaw
		v.draft.taxes, notes = s.assess(d, s.options.Clock(r.Organisation))
		v.draft.notes = append(v.draft.notes, notes...)
		v.draft.due = payable(v.draft.taxes)
	}
	return v, nil
}

// reject replaces the result by a rejection with one error.
func (v *validation) reject(f flaw) { v.course, v.draft.flaws = rejected, []flaw{f} }

// submit accepts a declaration and returns its conversation ID. When it returns, the declaration and its messages are on the
// disk.
func (s *Simulator) submit(r simulator.Request, document []byte) (string, error) {
	d, err := decode(document)
	if err != nil {
		return "", err
	}
	v, err := s.validate(&d, r)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	c, written, err := s.open(&d, v, r.Organisation, document)
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	if err := s.journal.Commit(written); err != nil {
		s.remove(c)
		return "", err
	}
	s.wake(c)
	return c.ID, nil
}

// open adds a declaration to the registry. The LRN is checked and reserved at once.
func (s *Simulator) open(d *wco.Declaration, v validation, organisation string, document []byte) (*conversation, *simulator.Batch, error) {
	if !s.registry.evict() {
		return nil, nil, unavailable
	}
	now, lrn := s.options.Clock(organisation).UTC(), d.FunctionalReferenceID
	if _, taken := s.registry.holder(d.Declarant.ID, lrn, now); taken && lrn != "" {
		v.reject(flaw{Code: reusedLRN, Pointer: "42A.D026"})
	}
	number := s.registry.count + 1
	dice := s.randomnessFor("conversation", number)
	c := &conversation{
		Number: number, ID: dice.conversationID(), At: now, Submitter: d.Declarant.ID, LRN: lrn,
		MRN: dice.MRN(now.Year(), country), Rejected: v.course == rejected, DeniesCancellation: v.denies, Delay: v.delay,
		Organisation: organisation, Steered: v.source,
	}
	if !c.Rejected {
		c.Waits, c.Declared, c.Version = v.waits, pack(document), 1
	}
	v.draft.mrn = c.MRN
	c.Messages = s.applyFaults(messages(v.course, v.draft, now, v.delay, dice), dice)
	opened := record{Opened: c}
	if dataset.IsExport(d) && !c.Rejected {
		if c.DUCR = ducrOf(d); c.DUCR != "" {
			opened.Consignments = []consignment{{Organisation: organisation, UCR: c.DUCR, MRN: c.MRN}}
		}
	}
	return c, s.record(opened), nil
}

// remove removes a document that could not be stored from the registry. Its sender gets an error and can send it again.
func (s *Simulator) remove(c *conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry.remove(c)
}

// restore reverts a change of a declaration that could not be stored.
func (s *Simulator) restore(before savedState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry.restore(before)
}

// record changes the registry and the journal in the same order.
func (s *Simulator) record(r record) *simulator.Batch {
	written := s.journal.Enqueue(r)
	s.registry.Apply(r)
	return written
}

func (s *Simulator) randomnessFor(realm string, number uint64) randomness {
	return newRandomness(s.options.Seed, realm, number, s.options.Now)
}

// messages encodes the messages of a course, each issued a delay after the previous one.
func messages(c course, draft message, now time.Time, delay time.Duration, ids randomness) []outgoingMessage {
	stages := c.stages()
	all := make([]outgoingMessage, 0, len(stages))
	draft.version = max(draft.version, 1)
	noted := max(0, slices.IndexFunc(stages, func(s stage) bool { return s.code == "11" })) // the first message, or the decision
	for n, stage := range stages {
		if n > 0 && stage.code == "01" {
			draft.version++ // the arrival of the goods creates a new version
		}
		m := draft
		m.id, m.code, m.status = ids.messageID(), stage.code, stage.status
		m.issued = now.Add(time.Duration(n+1) * delay)
		if n != noted {
			m.notes = nil
		}
		all = append(all, outgoingMessage{ID: m.id, Code: m.code, Status: m.status, Wait: delay, Body: m.render()})
	}
	return all
}

// applyFaults drops, repeats, reorders and delays messages as set in the options.
func (s *Simulator) applyFaults(all []outgoingMessage, dice randomness) []outgoingMessage {
	var some []outgoingMessage
	for _, l := range all {
		if dice.chance(s.options.Drop) {
			continue
		}
		l.Wait += dice.upTo(s.options.LateBy)
		some = append(some, l)
		if dice.chance(s.options.Repeat) {
			some = append(some, l)
		}
	}
	if s.options.Reorder {
		dice.random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	return some
}
