package connection

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

// known are the messages of a movement that can be read.
type known struct {
	life.Known
	problems []string // of the others
	names    []string // of the movement
	accepted emcs.Message
	sequence int // of the accepted message; 0 for none

	sent, got []stored  // that can be read
	latest    time.Time // when the latest one of HMRC was stored
}

// stored is a message with the time at which it was stored.
type stored struct {
	emcs.Message
	at time.Time
}

// readAll reads the messages of a movement.
func readAll(messages []exchange.Message, now time.Time) known {
	k := known{Known: life.Known{Now: now}}
	for _, m := range messages {
		if m.Direction == exchange.Out {
			k.noteSent(m)
			continue
		}
		read, err := emcs.Decode(m.Raw)
		if err != nil {
			k.problems = append(k.problems, fmt.Sprintf("%s %s: %v", m.Kind, m.ExternalID, err))
			continue
		}
		k.Messages, k.got = append(k.Messages, read), append(k.got, stored{read, m.CreatedAt})
		if m.CreatedAt.After(k.latest) {
			k.latest = m.CreatedAt
		}
		k.note(read)
		if m.Correlation != "" {
			k.names = append(k.names, movementName(m.Correlation))
		}
	}
	slices.Sort(k.names)
	k.names = slices.Compact(k.names)
	return k
}

// noteSent keeps a message to HMRC, unless HMRC has refused it in its answer.
func (k *known) noteSent(m exchange.Message) {
	sent, err := emcs.Decode(m.Raw)
	if err != nil || m.State == outbox.Refused {
		return
	}
	k.sent = append(k.sent, stored{sent, m.CreatedAt})
	if sent.Kind == emcs.Draft {
		k.DraftID = sent.Header.Identifier
	}
}

// note keeps the latest IE801 and the names that it has.
func (k *known) note(m emcs.Message) {
	if m.Kind != emcs.Accepted {
		return
	}
	n, _ := strconv.Atoi(m.Body.Value("HeaderEadEsad", "SequenceNumber"))
	if n > k.sequence || k.accepted.Body == nil || n == k.sequence && life.IsLater(m, k.accepted) {
		k.accepted, k.sequence = m, n
	}
}

// latest returns the latest IE801 of a movement.
func latest(messages []exchange.Message) (m emcs.Message, found bool) {
	k := readAll(messages, time.Time{})
	return k.accepted, k.accepted.Body != nil
}

// references returns the ARC and the LRN that a message names; empty for none.
func references(m emcs.Message) (arc, lrn string) {
	l := life.Of(life.Known{Messages: []emcs.Message{m}})
	if l.ARC == "" { // of an IE704 about a later message
		l.ARC = m.Body.Value("Attributes", "AdministrativeReferenceCode")
	}
	return l.ARC, l.LRN
}

// apply computes a movement from its messages.
func apply(r *exchange.Record, messages []exchange.Message, now time.Time) (exchange.Course, error) {
	k := readAll(messages, now)
	l := life.Of(k.Known)
	c := exchange.Course{State: lifecycle.State(l.State), Reference: l.ARC, Names: k.names, Next: next(r, &l, &k)}
	if len(k.Messages)+len(k.problems) == 0 {
		return c, nil
	}
	if l.ARC != "" {
		c.Names = append(c.Names, arcName(l.ARC))
	}
	var err error
	if c.Added, err = membersOf(&l, &k, r.Body); err != nil {
		return c, err
	}
	if l.State == life.Rejected {
		c.Reason = reasonOf(l.Refusals)
	}
	return c, nil
}

// reasonOf is the reason of a rejected draft.
func reasonOf(refusals []life.Refusal) string {
	var all []string
	for _, r := range refusals {
		all = append(all, strings.TrimSpace(r.Number+" "+r.Reason))
	}
	return client.Clip(strings.Join(all, "; "))
}
