package connection

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// receiptReminder is the type of a reminder of the report of receipt.
const receiptReminder = "2"

// membersOf returns the members of a movement that follow from its messages; those that no longer follow are removed.
func membersOf(l *life.Life, k *known, body json.RawMessage) (filing.Added, error) {
	c := hub.Course{
		Stage: l.Stage, LRN: l.LRN, Sequence: l.Sequence, DispatchOn: l.DispatchOn, JourneyTime: k.accepted.Body.Value("HeaderEadEsad", "JourneyTime"), Problems: k.problems,
	}
	for _, r := range l.Reminders {
		if at, err := time.Parse("2006-01-02T15:04:05", r.Until); err == nil && r.Type == receiptReminder {
			c.ReceiptDueBy = audit.Instant(at)
		}
	}
	for _, r := range l.Refusals {
		at := []apierr.Detail{{Location: r.Location, Field: fieldAt(r.Location)}}
		locate(body, at)
		c.Refusals = append(c.Refusals, hub.RefusedDetail{Number: r.Number, Location: r.Location, Field: at[0].Field, Message: r.Reason})
	}
	var err error
	if c.Reports, err = reportsOf(l); err != nil {
		return nil, err
	}
	return encoded(c)
}

// reportsOf returns what the messages report, without what they do not.
func reportsOf(l *life.Life) (filing.FreeForm, error) {
	text, err := json.Marshal(struct {
		Receipts  []life.Receipt     `json:"receipts,omitempty"`
		Alerts    []life.Alert       `json:"alerts,omitempty"`
		Delays    []life.Delay       `json:"delays,omitempty"`
		Shortages []life.Shortage    `json:"shortages,omitempty"`
		Reminders []life.Reminder    `json:"reminders,omitempty"`
		Export    *life.Export       `json:"export,omitempty"`
		Stopped   *life.Interruption `json:"stopped,omitempty"`
		Events    []life.Event       `json:"events,omitempty"`
		Closure   *life.Closure      `json:"closure,omitempty"`
		Answer    string             `json:"statusAnswer,omitempty"`
		Open      []life.Open        `json:"expected,omitempty"`
	}{l.Receipts, l.Alerts, l.Delays, l.Shortages, l.Reminders, l.Export, l.Stopped, l.Events, l.Closure, l.Status, l.Open})
	if err != nil {
		return nil, err
	}
	all := filing.FreeForm{}
	return all, json.Unmarshal(text, &all)
}

// memberNames are the names of the members of a course.
var memberNames = []string{
	"stage", "localReferenceNumber", "sequenceNumber", "dispatchOn", "journeyTime", "receiptDueBy", "refusals", "reports", "messageProblems",
}

// encoded returns the members of a course, and nil for those without a value.
func encoded(c hub.Course) (filing.Added, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	given := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	all := filing.Added{}
	for _, name := range memberNames {
		if all[name] = nil; given[name] != nil {
			all[name] = given[name]
		}
	}
	return all, nil
}
