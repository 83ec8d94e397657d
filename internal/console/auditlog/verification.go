package auditlog

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// verificationView is the data of the verification page.
type verificationView struct {
	Head     audit.Checkpoint    // checkpoint of the newest event
	Key      audit.Key           // that signs checkpoints
	Last     *verificationResult // nil if there was none yet
	Running  bool                // a verification is running
	Progress audit.Progress
	Since    int64 // events after the last verification
}

// verificationResult is the result of a verification.
type verificationResult struct {
	wording.Line
	audit.Verdict
	Good bool
}

func (a *AuditLog) verification(c *page.Context) error {
	var shown verificationView
	var found *wording.EventBatch
	err := c.View(func(tx page.Tx) error {
		head, err := head(tx)
		if err != nil {
			return err
		}
		shown.Head = head.Checkpoint(c.Session.Org)
		last, err := tx.Events(audit.Query{Group: verdicts, Limit: 1})
		if err != nil {
			return err
		}
		found, err = a.Describer.Load(tx, last, "")
		return err
	})
	if err != nil {
		return err
	}
	lines, err := a.Describer.Lines(c.R.Context(), c.Session.Org, found)
	if err != nil {
		return err
	}
	for _, line := range lines {
		shown.Last = resultOf(line)
		shown.Since = shown.Head.Sequence - shown.Last.RemovedUpTo - shown.Last.Events
	}
	shown.Key = a.Notary.Key()
	shown.Progress, shown.Running = a.Verifier.Progress(c.Session.Org)
	return c.Show("audit-verification", "Verification of the audit trail", shown)
}

// verdicts are the events that record a verification.
var verdicts = audit.Group{Name: "verdicts", Matches: func(eventType string) bool {
	return slices.Contains([]string{audit.Verified, audit.FoundBroken}, eventType)
}}

func resultOf(line wording.Line) *verificationResult {
	d := &verificationResult{Line: line, Good: line.Type == audit.Verified}
	_ = json.Unmarshal(line.Data, &d.Verdict)
	return d
}

// head returns the newest event. There is always one: the creation of the organisation.
func head(tx audit.View) (audit.Event, error) {
	newest, err := tx.Events(audit.Query{Limit: 1})
	if err != nil {
		return audit.Event{}, err
	}
	if len(newest) == 0 {
		return audit.Event{}, apierr.Missing()
	}
	return newest[0], nil
}

// verify starts a verification in the background.
func (a *AuditLog) verify(c *page.Context) error {
	kept, err := parseCheckpoints(c.Value("checkpoint"), c.Session.Org)
	if err == nil && !a.Verifier.Request(c.Call(), kept) {
		err = apierr.New(apierr.RateLimited, "Many verifications are running at the moment. Try again in a minute.")
	}
	if err != nil {
		return c.Redisplay(err, func() error { return a.verification(c) })
	}
	return c.Redirect("/audit/verification")
}

// parseCheckpoints parses a checkpoint that the user saved: number:hash, or the text of the file.
func parseCheckpoints(text string, org tenant.ID) ([]audit.Checkpoint, error) {
	if text == "" {
		return nil, nil
	}
	all, err := audit.ReadCheckpoints(strings.NewReader(text))
	if err != nil {
		var one audit.Checkpoint
		if one, err = audit.ParseCheckpoint(text); err != nil {
			return nil, apierr.Invalid(apierr.Detail{Field: "checkpoint", Message: "must be number:hash, or the text of the saved file"})
		}
		all = []audit.Checkpoint{one}
	}
	all = slices.DeleteFunc(all, func(c audit.Checkpoint) bool { return c.OrganisationID != "" && c.OrganisationID != org })
	if len(all) == 0 {
		return nil, apierr.Invalid(apierr.Detail{Field: "checkpoint", Message: "belongs to another organisation"})
	}
	return all, nil
}

// checkpoint sends the signed checkpoint of the newest event as a file.
func (a *AuditLog) checkpoint(c *page.Context) error {
	head, err := a.Notary.Checkpoint(c.R.Context(), c.Session.Org)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	attach(c.W, "application/json", "checkpoint-"+head.OccurredAt[:len("2026-11-21")]+".json")
	_, _ = c.W.Write(append(text, '\n'))
	return nil
}

// attach sets the headers of a file download.
func attach(w http.ResponseWriter, mediaType, name string) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
