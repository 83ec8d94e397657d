package filing_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// letter is a kind of filing that must be answered in time.
type letter struct {
	AnswerBy time.Time `json:"answerBy"`
}

func letters() *filing.Type {
	return filing.Definition[letter]{
		Kind: "test.letter", Hub: "test", Path: "/api/test/letters", Singular: "letter", Plural: "letters", Lifecycle: lifecycle.Regulated,
		Reference: func(*ident.Source, time.Time, *letter) filing.Reference {
			return filing.Reference{Field: "mrn", Value: "M1"}
		},
		Deadlines: func(l *letter, m filing.Metadata) []filing.Deadline {
			switch m.Status {
			case lifecycle.Draft:
				return []filing.Deadline{{Name: "answer", Title: "Answer", DueAt: l.AnswerBy, Source: "Manners"}}
			case lifecycle.Submitted:
				sent := m.Instant("submittedAt")
				return []filing.Deadline{
					{Name: "answer", Title: "Answer again", DueAt: l.AnswerBy, Source: "Manners"},
					{Name: "remind", Title: "Remind", DueAt: sent.Add(time.Hour), WholeDay: true, Lapses: true, Source: m.CreatedAt.Format(time.RFC3339) + " " + m.ChangedAt.Format(time.RFC3339)},
				}
			}
			return nil
		},
	}.Type()
}

func (e *env) due() []deadline.Stored {
	e.Helper()
	var all []deadline.Stored
	err := e.store.View(ctx, ours, func(tx *store.Tx) error {
		found, err := tx.Deadlines(deadline.Query{Hubs: []string{"test"}, From: nine.AddDate(-2000, 0, 0), To: nine.AddDate(7000, 0, 0), Today: nine, Limit: 10})
		all = found.Stored
		return err
	})
	e.must(err)
	return all
}

// Every change of a record replaces its deadlines. A rejected change does not.
func TestDeadlines(t *testing.T) {
	each(t, func(e *env) {
		e.kind = letters()
		f := e.draft(`{"answerBy":"2026-12-01T12:00:00Z"}`)
		got := e.due()
		if len(got) != 1 || got[0].Name != "answer" || got[0].FilingID != f.ID || got[0].FilingKind != "test.letter" || got[0].Hub != "test" ||
			!got[0].DueAt.Equal(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)) || got[0].Title != "Answer" || got[0].Source != "Manners" || !got[0].ChangedAt.Equal(nine) {
			e.Errorf("of a draft: %+v", got)
		}
		e.now = nine.Add(time.Minute)
		_, err := e.act(member, f.ID, lifecycle.Amend, e.corrected(`{"answerBy":"2026-12-02T12:00:00Z"}`))
		e.must(err)
		if got := e.due(); len(got) != 1 || got[0].DueAt.Day() != 2 || !got[0].ChangedAt.Equal(e.now) {
			e.Errorf("after a correction: %+v", got)
		}
		_, err = e.act(member, f.ID, lifecycle.MarkAccepted, filing.TransitionData{})
		e.is("too early", err, apierr.InvalidState)
		_, err = e.act(member, f.ID, lifecycle.Submit, e.corrected(`{"answerBy":"2026-12-25T12:00:00Z"}`)) // a transition without input
		e.must(err)
		got = e.due()
		if len(got) != 2 || got[0].Name != "remind" || !got[0].DueAt.Equal(e.now.Add(time.Hour)) || !got[0].WholeDay || !got[0].Lapses ||
			got[0].Source != "2026-11-21T09:00:00Z 2026-11-21T09:01:00Z" || got[1].Title != "Answer again" || got[1].DueAt.Day() != 2 {
			e.Errorf("after submission: %+v", got)
		}
		_, err = e.act(owner, f.ID, lifecycle.MarkAccepted, filing.TransitionData{})
		e.must(err)
		if got := e.due(); len(got) != 0 {
			e.Errorf("in the end: %+v", got)
		}
	})
}

// A deadline outside of the possible range is not stored.
func TestImpossibleDeadlines(t *testing.T) {
	each(t, func(e *env) {
		e.kind = letters()
		for _, at := range []string{"0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "3000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"} {
			e.draft(`{"answerBy":"` + at + `"}`)
		}
		if got := e.due(); len(got) != 0 {
			e.Errorf("got %+v", got)
		}
	})
}

// A member that is missing or has another type is the zero value.
func TestMoment(t *testing.T) {
	m := filing.Metadata{Added: []byte(`{"at":"2026-11-21T09:00:00.000Z","set":true,"no":null,"text":"x"}`)}
	if !m.Instant("at").Equal(nine) || !m.Flag("set") {
		t.Errorf("%s %t", m.Instant("at"), m.Flag("set"))
	}
	for _, name := range []string{"no", "text", "missing"} {
		if !m.Instant(name).IsZero() || m.Flag(name) || m.Flag("at") {
			t.Errorf("%s: %s %t", name, m.Instant(name), m.Flag(name))
		}
	}
	if (filing.Metadata{}).Flag("set") {
		t.Error("an empty moment has a flag")
	}
}
