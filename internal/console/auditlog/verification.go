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

// verificationView is what the page of the verification shows.
type verificationView struct {
	Head     audit.Checkpoint // of the trail as it is now
	Key      audit.Key        // that signs checkpoints
	Last     *verdict         // nil where there was none yet
	Under    bool             // one is under way
	Progress audit.Progress
	Since    int64 // events after the last verification
}

// verdict is the outcome of a verification.
type verdict struct {
	wording.Line
	audit.Verdict
	Good bool
}

func (a *AuditLog) verification(c *page.Context) error {
	var shown verificationView
	var found *wording.Page
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
		found, err = a.Clerk.Gather(tx, last, "")
		return err
	})
	if err != nil {
		return err
	}
	lines, err := a.Clerk.Lines(c.R.Context(), c.Session.Org, found)
	if err != nil {
		return err
	}
	for _, line := range lines {
		shown.Last = verdictOf(line)
		shown.Since = shown.Head.Sequence - shown.Last.Behind - shown.Last.Events
	}
	shown.Key = a.Notary.Key()
	shown.Progress, shown.Under = a.Verifier.Progress(c.Session.Org)
	return c.Show("audit-verification", "Verification of the audit trail", shown)
}

// verdicts are the events that tell of a verification.
var verdicts = audit.Group{Name: "verdicts", Fits: func(eventType string) bool {
	return slices.Contains([]string{audit.Verified, audit.FoundBroken}, eventType)
}}

func verdictOf(line wording.Line) *verdict {
	d := &verdict{Line: line, Good: line.Type == audit.Verified}
	_ = json.Unmarshal(line.Data, &d.Verdict)
	return d
}

// head is the newest event: there always is one, since a trail begins with its
// organisation.
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

// verify asks for a verification, which is made in the background.
func (a *AuditLog) verify(c *page.Context) error {
	kept, err := keptOf(c.Value("checkpoint"), c.Session.Org)
	if err == nil && !a.Verifier.Ask(c.Call(), kept) {
		err = apierr.New(apierr.RateLimited, "Many trails are being verified at the moment. Try again in a minute.")
	}
	if err != nil {
		return c.Redisplay(err, func() error { return a.verification(c) })
	}
	return c.Redirect("/audit/verification")
}

// keptOf reads a checkpoint that was kept: its short form, or the file.
func keptOf(text string, org tenant.ID) ([]audit.Checkpoint, error) {
	if text == "" {
		return nil, nil
	}
	all, err := audit.ReadCheckpoints(strings.NewReader(text))
	if err != nil {
		var one audit.Checkpoint
		if one, err = audit.ParseCheckpoint(text); err != nil {
			return nil, apierr.Invalid(apierr.Detail{Field: "checkpoint", Message: "must be number:hash, or the text of the file that was kept"})
		}
		all = []audit.Checkpoint{one}
	}
	all = slices.DeleteFunc(all, func(c audit.Checkpoint) bool { return c.OrganisationID != "" && c.OrganisationID != org })
	if len(all) == 0 {
		return nil, apierr.Invalid(apierr.Detail{Field: "checkpoint", Message: "is of another organisation's trail"})
	}
	return all, nil
}

// checkpoint is the head of the trail as a file to keep.
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

// attach makes the answer a file that is saved and not shown.
func attach(w http.ResponseWriter, mediaType, name string) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}
