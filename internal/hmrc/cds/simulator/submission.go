package simulator

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

const country = "GB" // of the office that gives MRNs

// verdict is what customs thinks of a declaration by itself.
type verdict struct {
	course course
	draft  message // what all its messages have in common
	delay  time.Duration
	denies bool
}

// judge is the steering's verdict where there is one, else that of the inspection.
func (s *Simulator) judge(d *wco.Declaration) verdict {
	v := verdict{course: courseOf(d), delay: s.options.Delay}
	v.draft = message{lrn: d.FunctionalReferenceID, account: account(d), exitOffice: d.ExitOffice.ID}
	if asked, steered := steer(d); steered {
		v.course, v.denies = steeredCourse(d, asked), asked.deniesCancellation()
		v.draft.flaws = []flaw{asked.flaw()}
		if delay, given := asked.delay(); given {
			v.delay = delay
		}
	} else if v.draft.flaws = inspect(d); len(v.draft.flaws) > 0 {
		v.course = rejected
	}
	if v.course.has("13") {
		v.draft.taxes = s.assess(d, s.options.Now())
		v.draft.due = payable(v.draft.taxes)
	}
	return v
}

// reject replaces the verdict by a rejection for one reason.
func (v *verdict) reject(f flaw) { v.course, v.draft.flaws = rejected, []flaw{f} }

// submit takes a declaration and gives the id of its conversation. When it
// returns, the declaration and all that will be said of it are on the disk.
func (s *Simulator) submit(document []byte) (string, error) {
	d, err := decode(document)
	if err != nil {
		return "", err
	}
	v := s.judge(&d)
	s.mu.Lock()
	c, written, err := s.open(&d, v)
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	if err := s.journal.commit(written); err != nil {
		s.withdraw(c)
		return "", err
	}
	s.wake(c)
	return c.ID, nil
}

// open enters a declaration into the book. The LRN is looked up and taken at once.
func (s *Simulator) open(d *wco.Declaration, v verdict) (*conversation, *batch, error) {
	if !s.book.makeRoom() {
		return nil, nil, unavailable
	}
	now, lrn := s.options.Now().UTC(), d.FunctionalReferenceID
	if _, taken := s.book.holder(d.Declarant.ID, lrn, now); taken && lrn != "" {
		v.reject(flaw{Code: reusedLRN, Pointer: "42A.D026"})
	}
	number := s.book.count + 1
	dice := s.dice("conversation", number)
	c := &conversation{
		Number: number, ID: dice.conversationID(), At: now, Submitter: d.Declarant.ID, LRN: lrn,
		MRN: dice.MRN(now.Year(), country), Rejected: v.course == rejected, Denies: v.denies, Delay: v.delay,
	}
	v.draft.mrn = c.MRN
	c.Letters = s.disturb(letters(v.course, v.draft, now, v.delay, dice), dice)
	return c, s.record(record{Opened: c}), nil
}

// withdraw takes a document out of the book again that could not be written down: its sender is told that it was not
// taken, and may send it once more.
func (s *Simulator) withdraw(c *conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.book.withdraw(c)
}

// restore undoes a change of a declaration that could not be written down.
func (s *Simulator) restore(before state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.book.restore(before)
}

// record changes the book and hands the change to the journal, in one order.
func (s *Simulator) record(r record) *batch {
	written := s.journal.enqueue(r)
	s.book.apply(r)
	return written
}

func (s *Simulator) dice(realm string, number uint64) dice {
	return newDice(s.options.Seed, realm, number, s.options.Now)
}

// letters writes the messages of a course, each issued a delay after the one before.
func letters(c course, draft message, now time.Time, delay time.Duration, ids dice) []letter {
	stages := c.stages()
	all := make([]letter, 0, len(stages))
	draft.version = 1
	for n, stage := range stages {
		if n > 0 && stage.code == "01" {
			draft.version++ // the arrival of the goods makes another version
		}
		m := draft
		m.id, m.code, m.status = ids.messageID(), stage.code, stage.status
		m.issued = now.Add(time.Duration(n+1) * delay)
		all = append(all, letter{ID: m.id, Code: m.code, Wait: delay, Body: m.render()})
	}
	return all
}

// disturb loses, repeats, shuffles and holds back letters as the options ask.
func (s *Simulator) disturb(all []letter, dice dice) []letter {
	var some []letter
	for _, l := range all {
		if dice.hits(s.options.Drop) {
			continue
		}
		l.Wait += dice.upTo(s.options.LateBy)
		some = append(some, l)
		if dice.hits(s.options.Repeat) {
			some = append(some, l)
		}
	}
	if s.options.Reorder {
		dice.random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	return some
}
