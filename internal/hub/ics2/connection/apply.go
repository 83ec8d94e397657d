package connection

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// outcomes are HMRC's messages about a filing.
type outcomes struct {
	accepted, rejected *ens.Outcome
	rejectedAt         time.Time
	interventions      []ics2.Intervention
	problems           []string
}

// read sorts HMRC's messages by what they are.
func read(messages []exchange.Message) (all outcomes) {
	for i := range messages {
		m := &messages[i]
		if m.Direction != exchange.In {
			continue
		}
		o, err := ens.ReadOutcome(m.Raw)
		if err != nil {
			all.problems = append(all.problems, fmt.Sprintf("A message of %s cannot be read: %s", m.At.UTC().Format("2 January 2006 15:04"), clip(err.Error())))
			continue
		}
		switch o.Name {
		case schema.DeclarationAccepted:
			all.accepted = o
		case schema.DeclarationRejected:
			all.rejected, all.rejectedAt = o, m.CreatedAt
		case schema.Intervention:
			all.interventions = append(all.interventions, interventions(m.ExternalID, o)...)
		}
	}
	sorting.Stable(all.interventions, func(a, b ics2.Intervention) int { return cmp.Compare(a.ID+a.Item, b.ID+b.Item) })
	all.interventions = slices.Compact(all.interventions)
	return all
}

func clip(text string) string { return text[:min(len(text), 200)] }

// interventions returns the instructions of a notification; one without a text if it names none.
func interventions(external string, o *ens.Outcome) (all []ics2.Intervention) {
	id := strings.TrimPrefix(external, "notification/")
	for _, d := range o.Interventions {
		all = append(all, ics2.Intervention{ID: id, Item: d.Item, Code: d.Code, Text: d.Text})
	}
	if all == nil {
		all = []ics2.Intervention{{ID: id}}
	}
	return all
}

// apply computes a filing from its messages.
func apply(r *exchange.Record, messages []exchange.Message, now time.Time) (c exchange.Course, err error) {
	f, err := ics2.Read(r.Body)
	if err != nil {
		return c, err
	}
	all, sent := read(messages), submission(messages)
	c.Added = filing.Added{"localReferenceNumber": ics2.LRNOf(r.ID), "refusals": nil, "amendment": nil, "interventions": nil, "messageProblems": nil}
	switch {
	case all.accepted != nil:
		c.State, c.Reference, c.Names = lifecycle.Accepted, all.accepted.MRN, []string{mrnName(all.accepted.MRN)}
	case all.rejected != nil && !isRepetition(sent, all, now):
		c.State, c.Reason = lifecycle.Rejected, reasonOf(all.rejected)
		c.Added["refusals"] = refusals(f, all.rejected)
	}
	if r.Status != lifecycle.Submitted && r.Status != lifecycle.Rejected {
		c.State = "" // it was accepted before, or its submission is not stored yet
	}
	if len(all.problems) > 0 {
		c.Added["messageProblems"] = all.problems
	}
	addInterventions(r, all, &c)
	if err := addAmendment(r, messages, &c); err != nil {
		return c, err
	}
	c.Next = next(r, f, all, sent, latestAmendment(messages), now)
	return c, nil
}

// submission returns the latest message with which the filing was submitted; nil for none.
func submission(messages []exchange.Message) (last *exchange.Message) {
	for i := range messages {
		if messages[i].Direction == exchange.Out && messages[i].Purpose == toSubmit {
			last = &messages[i]
		}
	}
	return last
}

// patience is how long the acceptance of a declaration that was sent twice is waited for after the rejection of one of the two.
const patience = time.Hour

// isRepetition reports whether a rejection may be about the second of two same declarations, of which HMRC accepts one: the first
// answer was lost.
func isRepetition(sent *exchange.Message, all outcomes, now time.Time) bool {
	return sent != nil && sent.Repeated && now.Sub(all.rejectedAt) < patience
}

func reasonOf(o *ens.Outcome) string {
	if text, _ := o.Text("HEAHEA/DecRejReaHEA252"); strings.TrimSpace(text) != "" {
		return strings.TrimSpace(text)
	}
	if len(o.Errors) == 1 {
		return "HMRC rejected the declaration: " + textOf(o.Errors[0])
	}
	return fmt.Sprintf("HMRC rejected the declaration with %d errors.", len(o.Errors))
}

// functionalErrors are the codes of functional errors by the message guide of the European systems from which HMRC's schema has
// them.
var functionalErrors = map[string]string{
	"12": "A value is not allowed.", "13": "A required value is missing.", "14": "A value is not expected here.", "15": "A value breaks a rule or a condition.",
	"26": "The number was used before.", "90": "The MRN is not known.", "91": "The MRN was used before.", "92": "The message came out of sequence.", "93": "The MRN is not valid.",
}

func textOf(e ens.FunctionalError) string {
	text := cmp.Or(functionalErrors[e.Type], "Error "+e.Type+".")
	if e.Reason != "" {
		text += " Reason " + e.Reason + "."
	}
	if e.Original != "" {
		text += " The value is " + e.Original + "."
	}
	return text
}

func refusals(f *ics2.Filing, o *ens.Outcome) []ics2.RefusedDetail {
	all := []ics2.RefusedDetail{}
	for _, e := range o.Errors {
		all = append(all, ics2.RefusedDetail{Number: e.Type, Location: e.Pointer, Field: ics2.FieldOf(f, e.Pointer), Message: textOf(e)})
	}
	return all
}

// addInterventions adds instructions not to load, with an event of its own if the filing does not show them yet.
func addInterventions(r *exchange.Record, all outcomes, c *exchange.Course) {
	if len(all.interventions) == 0 {
		return
	}
	c.Added["interventions"] = all.interventions
	var shown ics2.Course
	_ = json.Unmarshal(r.Added, &shown) // written by the service
	possible := c.State == lifecycle.Accepted || r.Status == lifecycle.Accepted || r.Status == lifecycle.Submitted && c.State == ""
	if len(shown.Interventions) < len(all.interventions) && possible {
		c.Extras = append(c.Extras, exchange.Extra{Action: ics2.LearnIntervention, Data: filing.Added{"interventions": all.interventions}})
	}
}

// amendment is an amendment with its outcome; nil while there is none.
type amendment struct {
	sent    *exchange.Message
	outcome *ens.Outcome
}

// amendments returns the amendments that HMRC has taken or may have, oldest first. An outcome belongs to the amendment with its
// correlation id; one of an id that is not known, because an answer was lost, belongs to the latest.
func amendments(messages []exchange.Message) (all []amendment) {
	for i := range messages {
		if m := &messages[i]; m.Direction == exchange.Out && m.Purpose == toAmend && m.State != outbox.Refused {
			all = append(all, amendment{sent: m})
		}
	}
	for i := range messages {
		m := &messages[i]
		if m.Direction != exchange.In || len(all) == 0 {
			continue
		}
		o, err := ens.ReadOutcome(m.Raw)
		if err != nil || o.Name != schema.AmendmentAccepted && o.Name != schema.AmendmentRejected {
			continue
		}
		at := slices.IndexFunc(all, func(a amendment) bool { return m.Correlation != "" && a.sent.Receipt.Correlation == m.Correlation })
		if at < 0 {
			at = len(all) - 1
		}
		if known := all[at].outcome; known == nil || !known.Accepted() {
			all[at].outcome = o
		}
	}
	return all
}

func latestAmendment(messages []exchange.Message) *amendment {
	all := amendments(messages)
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// addAmendment adds what became of the latest amendment. The filing gets the members of the latest one that was accepted.
func addAmendment(r *exchange.Record, messages []exchange.Message, c *exchange.Course) error {
	all := amendments(messages)
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	shown := ics2.AmendmentOutcome{Status: "SENT", SentAt: audit.Instant(last.sent.CreatedAt)}
	if last.outcome != nil {
		shown.Status = "ACCEPTED"
		if !last.outcome.Accepted() {
			f, err := ics2.Read(last.sent.Change.Input)
			if err != nil {
				return err
			}
			shown.Status, shown.Refusals = "REJECTED", refusals(f, last.outcome)
		}
	}
	c.Added["amendment"] = shown
	for _, a := range slices.Backward(all) {
		if a.outcome == nil || !a.outcome.Accepted() {
			continue
		}
		if r.Status == lifecycle.Accepted && !sameJSON(a.sent.Change.Input, r.Body) {
			c.Extras = append(c.Extras, exchange.Extra{Action: ics2.LearnAmendment, Input: a.sent.Change.Input})
		}
		return nil
	}
	return nil
}

func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
