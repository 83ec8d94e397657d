package template

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Actions of templates that repeat.
const (
	makeDraft lifecycle.Action = "make-draft"
	failDraft lifecycle.Action = "fail-draft"
)

// repeating is the lifecycle of templates.
var repeating = lifecycle.Archivable.With(
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Active}, Action: makeDraft, Guard: lifecycle.System, Event: "draft_made"},
	lifecycle.Edge{From: []lifecycle.State{lifecycle.Active}, Action: failDraft, Guard: lifecycle.System, Event: "draft_failed"},
)

const (
	// maxLate is the number of days after which a date is left out. Drafts are late if the service did not run.
	maxLate = 31
	// shownDates is the number of next dates that a template shows.
	shownDates = 5
	// maxWhy is the maximum length of the reason in an inbox, in characters.
	maxWhy = 300
)

// repeatedMember is the added member with the last date.
const repeatedMember = "repeated"

// Repeated is what the last date of a recurrence led to.
type Repeated struct {
	Date          string  `json:"date" format:"date" doc:"The date" example:"2026-11-30"`
	At            string  `json:"at" format:"date-time" doc:"When the draft was made" example:"2026-11-30T06:00:00.000Z"`
	DeclarationID *string `json:"declarationId" format:"uuid" doc:"The draft; null if none could be made" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Problem       *string `json:"problem" doc:"Why no draft could be made; null if one was made" example:"The client is archived."`
}

// from returns the first day that can be the next date. After any change but a draft, dates before the day of that change are
// left out: those of a paused recurrence and of an archived template.
func from(m filing.Metadata) time.Time {
	var last Repeated
	m.Read(repeatedMember, &last)
	changed := dayOf(m.ChangedAt)
	if last.Date == "" {
		return changed
	}
	next := readDay(last.Date).AddDate(0, 0, 1)
	if last.At != audit.Instant(m.ChangedAt) && changed.After(next) {
		return changed
	}
	return next
}

// upcoming returns the next dates of a template, at most n.
func (t *Template) upcoming(m filing.Metadata, n int) []time.Time {
	if t.Recurrence == nil || t.Recurrence.Paused || m.Status != lifecycle.Active {
		return nil
	}
	return t.Recurrence.dates(from(m), n)
}

// timerOf returns the timer of the next draft.
func timerOf(t *Template, m filing.Metadata) filing.Timer {
	dates := t.upcoming(m, 1)
	if dates == nil {
		return filing.Timer{}
	}
	return filing.Timer{Action: makeDraft, After: t.Recurrence.instant(dates[0]).Add(-time.Millisecond)}
}

// shown returns the next dates of a template.
func shown(_ filing.View, f *filing.Filing) (filing.Added, error) {
	var t Template
	if err := json.Unmarshal(f.Body, &t); err != nil {
		return nil, err
	}
	dates := days(t.upcoming(filing.Metadata{Status: f.Status, CreatedAt: f.CreatedAt, ChangedAt: f.UpdatedAt, Added: f.Added}, shownDates))
	if dates == nil {
		return nil, nil
	}
	return filing.Added{"nextDates": dates}, nil
}

// Preview returns the next dates of a recurrence that would be stored at an instant instead of that of a template, and what is wrong
// with it. If only the shipment is wrong, it returns both.
func Preview(f *filing.Filing, r Recurrence, now time.Time) ([]string, []apierr.Detail) {
	var t Template
	if err := json.Unmarshal(f.Body, &t); err != nil {
		return nil, []apierr.Detail{{Field: "body", Message: "cannot be read"}}
	}
	details := r.check(t.Body["shipmentId"] != nil)
	if slices.ContainsFunc(details, func(d apierr.Detail) bool { return d.Field != "recurrence.shipmentId" }) {
		return nil, details
	}
	t.Recurrence = &r
	return days(t.upcoming(filing.Metadata{Status: f.Status, CreatedAt: f.CreatedAt, ChangedAt: now, Added: f.Added}, shownDates)), details
}

func days(dates []time.Time) (texts []string) {
	for _, d := range dates {
		texts = append(texts, d.Format(time.DateOnly))
	}
	return texts
}

// Repeater makes the drafts of templates that repeat.
type Repeater struct {
	Filings      *filing.Service
	Declarations *filing.Type
	Check        func(json.RawMessage) []apierr.Detail // of the body of a declaration, by its schema
}

// Step returns what is done for a timer of a template. The draft and what says that it was made are stored together, so that each
// date has one draft, whatever stops the service and however many instances there are.
func (r *Repeater) Step() timer.Step { return timer.Step{Do: r.do, Fail: r.fail} }

// do makes the draft of the date that is due.
func (r *Repeater) do(tx timer.Tx, d timer.Due) error {
	f, t, date, err := due(tx, d)
	if err != nil {
		return err
	}
	if date.Before(dayOf(tx.Now()).AddDate(0, 0, -maxLate)) {
		return r.leaveOut(tx, d, t, &f, date)
	}
	call := tenant.Call{Principal: tenant.System(d.Org)}
	declaration, err := r.make(tx, call, t, &f)
	if err != nil {
		return err
	}
	_, err = r.Filings.Transition(tx, call, r.Filings.Types[Kind], f.ID, makeDraft, filing.TransitionData{
		Added:     filing.Added{repeatedMember: Repeated{Date: date.Format(time.DateOnly), At: audit.Instant(tx.Now()), DeclarationID: &declaration.ID}},
		Data:      filing.Added{"date": date.Format(time.DateOnly), "declarationId": declaration.ID},
		ItemAbout: filing.ItemAbout{Kind: customs.DeclarationKind, RecordID: declaration.ID},
	})
	return err
}

// due reads the template of a timer and the date that is due.
func due(tx timer.Tx, d timer.Due) (f filing.Filing, t *Template, date time.Time, err error) {
	if f, err = tx.Filing(Kind, d.FilingID); err != nil {
		return f, nil, date, err
	}
	t = &Template{}
	if err = json.Unmarshal(f.Body, t); err != nil {
		return f, nil, date, err
	}
	return f, t, dayOf(d.Timer.After.Add(time.Millisecond)), nil
}

// make makes the shipment, if each draft has its own, and the draft.
func (r *Repeater) make(tx timer.Tx, call tenant.Call, t *Template, f *filing.Filing) (filing.Filing, error) {
	patch := json.RawMessage("{}")
	if t.Recurrence.ShipmentID != "" {
		shipment, err := r.shipment(tx, call, t.Recurrence.ShipmentID)
		if err != nil {
			return filing.Filing{}, err
		}
		patch = json.RawMessage(`{"shipmentId":"` + shipment + `"}`)
	}
	body, err := Fill(tx, f.ID, patch)
	if err != nil {
		return filing.Filing{}, err
	}
	if details := r.Check(body); details != nil {
		return filing.Filing{}, apierr.Invalid(details...)
	}
	in, err := r.Declarations.Parse(body, tx.Now())
	if err != nil {
		return filing.Filing{}, err
	}
	if in, err = assigned(tx, in, filing.AssigneeOf(f.Added)); err != nil {
		return filing.Filing{}, err
	}
	return r.Filings.Create(tx, call, r.Declarations, in)
}

// assigned gives the draft to the assignee of the template, if that is still a member.
func assigned(tx timer.Tx, in filing.Input, assignee string) (filing.Input, error) {
	if assignee == "" {
		return in, nil
	}
	_, member, err := tx.Member(assignee)
	if member {
		in = in.With(filing.Added{filing.AssigneeMember: assignee})
	}
	return in, err
}

// shipment makes a shipment like another one.
func (r *Repeater) shipment(tx timer.Tx, call tenant.Call, like string) (id string, err error) {
	f, err := tx.Filing(customs.Shipments.Kind, strings.ToLower(like))
	if err != nil {
		return "", err
	}
	body, err := customs.ShipmentLike(f.Body)
	if err != nil {
		return "", err
	}
	kind := r.Filings.Types[customs.Shipments.Kind]
	in, err := kind.Parse(body, tx.Now())
	if err != nil {
		return "", err
	}
	f, err = r.Filings.Create(tx, call, kind, in)
	return f.ID, err
}

// fail says why there is no draft for the date that is due.
func (r *Repeater) fail(tx timer.Tx, d timer.Due, why *apierr.Error) error {
	f, _, date, err := due(tx, d)
	if err != nil {
		return err
	}
	return r.failed(tx, d, &f, date, fmt.Sprintf("%s: %s", date.Format("2 January 2006"), reason(why)))
}

// leaveOut leaves out dates that passed too long ago, up to the last of them.
func (r *Repeater) leaveOut(tx timer.Tx, d timer.Due, t *Template, f *filing.Filing, first time.Time) error {
	last := dayOf(tx.Now()).AddDate(0, 0, -maxLate-1)
	for _, date := range t.Recurrence.dates(last.AddDate(0, 0, -maxLate), 2*maxLate) {
		if !date.After(last) {
			first = date
		}
	}
	return r.failed(tx, d, f, first, fmt.Sprintf("The dates until %s were left out, because they passed more than %d days ago.", first.Format("2 January 2006"), maxLate))
}

func (r *Repeater) failed(tx timer.Tx, d timer.Due, f *filing.Filing, date time.Time, why string) error {
	if text := []rune(why); len(text) > maxWhy {
		why = string(text[:maxWhy-1]) + "…"
	}
	_, err := r.Filings.Transition(tx, tenant.Call{Principal: tenant.System(d.Org)}, r.Filings.Types[Kind], f.ID, failDraft, filing.TransitionData{
		Added:     filing.Added{repeatedMember: Repeated{Date: date.Format(time.DateOnly), At: audit.Instant(tx.Now()), Problem: &why}},
		Data:      filing.Added{"date": date.Format(time.DateOnly), "problem": why},
		ItemAbout: filing.ItemAbout{Subject: why},
	})
	return err
}

// reason returns what is wrong, with the fields.
func reason(e *apierr.Error) string {
	if len(e.Details) == 0 {
		return e.Message
	}
	var all []string
	for _, d := range e.Details {
		all = append(all, d.Field+" "+d.Message)
	}
	return strings.Join(all, "; ") + "."
}
