package marked

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// start makes the batch that takes the action on the records, in the versions that were shown. A form that is sent again
// leads to the batch that it made.
func (m *Marked) start(c *page.Context) error {
	t, _, err := m.chosenKind(c)
	if err != nil {
		return err
	}
	a, err := chosenAction(t, c.Value("action"))
	if err != nil {
		return err
	}
	if a.Exports() || a.ID == page.ReviewMarked || a.ID == page.AssignMarked || a.ID == lifecycle.AskApproval && !c.AsksApproval(t) {
		return apierr.Missing()
	}
	form, ids, versions := strings.ToLower(c.Value("form")), c.R.PostForm["id"], c.R.PostForm["version"]
	if !ident.IsUUID(form) || len(ids) == 0 || len(ids) > maxMarked || len(versions) != len(ids) {
		return apierr.Missing()
	}
	if c.R.URL.Query().Get("without") == "blocked" {
		ids, versions = without(ids, versions, strings.Fields(c.Value("blocked")))
	}
	if a.ID == lifecycle.AskApproval {
		return m.ask(c, t, ids, versions)
	}
	rows := make([]batch.Row, 0, len(ids))
	err = c.Update(func(tx page.Tx) error {
		found, err := tx.Briefs(ids)
		if err != nil {
			return err
		}
		rows = rows[:0]
		for i, id := range ids {
			version, err := strconv.ParseInt(versions[i], 10, 64)
			if err != nil || found[id].Kind != t.Kind {
				return apierr.Missing()
			}
			rows = append(rows, a.row(t, i, id, version))
		}
		_, err = m.Batches.CreateOnce(tx, form, batch.Sender{Call: c.Call()}, batch.Marked+string(a.ID), rows)
		return err
	})
	if err != nil {
		return err
	}
	return c.Redirect("/marked/" + form)
}

// without returns IDs and their versions without those in some rows.
func without(ids, versions, rows []string) (otherIDs, otherVersions []string) {
	for i := range ids {
		if !slices.Contains(rows, strconv.Itoa(i)) {
			otherIDs, otherVersions = append(otherIDs, ids[i]), append(otherVersions, versions[i])
		}
	}
	return otherIDs, otherVersions
}

// progressView is the data of the page of a batch.
type progressView struct {
	batch.Batch
	*filing.Type
	Action   action
	Outcomes []outcome // at most as many as a page shows, first of the records on which the action was not taken
	Hidden   int       // number of records that are not shown
	Back     string

	all []outcome // of all records, without their names
}

// Running reports whether records wait.
func (v progressView) Running() bool { return v.Status == batch.Queued || v.Status == batch.Running }

// Ended is the number of records that do not wait.
func (v progressView) Ended() int { return v.count(func(o outcome) bool { return !o.Waits }) }

// Succeeded is the number of records on which the action was taken.
func (v progressView) Succeeded() int {
	return v.count(func(o outcome) bool { return !o.Waits && o.Refusal == "" })
}

func (v progressView) count(counted func(outcome) bool) (n int) {
	for _, o := range v.all {
		if counted(o) {
			n++
		}
	}
	return n
}

// Noun is what all records are called.
func (v progressView) Noun() string { return noun(v.Type, int(v.Total)) }

// Limited reports whether the action was taken on as many records as it can be at once, so that there may be more.
func (v progressView) Limited() bool { return v.Total == batch.MaxRows }

// outcome is what became of a record.
type outcome struct {
	id, made   string // IDs of the record, and of the one that was made
	Name, Path string
	Status     lifecycle.State // now; empty if the record is gone
	Waits      bool
	Refusal    string // why the action was not taken; empty if it was
	Made       string // path of the record that was made; empty for none
}

// maxAnswers limits the answers of a batch that are read at once, in bytes.
const maxAnswers = 4 << 20

// patience is how long a page waits for a batch that has just begun, so that most pages show the end of it.
const patience = time.Second

// progress shows how far a batch is, and what became of each record.
func (m *Marked) progress(c *page.Context) error {
	v, err := m.read(c)
	for waited := time.Duration(0); err == nil && v.Running() && waited < patience; waited += patience / 10 {
		select {
		case <-c.R.Context().Done():
			return c.R.Context().Err()
		case <-time.After(patience / 10):
		}
		v, err = m.read(c)
	}
	if err != nil {
		return err
	}
	return c.Show("marked-progress", v.title(), v)
}

func (v progressView) title() string {
	return strings.ToUpper(v.Plural[:1]) + v.Plural[1:] + " " + v.Action.Done
}

// read reads a batch and its results.
func (m *Marked) read(c *page.Context) (v progressView, err error) {
	err = c.View(func(tx page.Tx) error {
		v = progressView{}
		if v.Batch, err = tx.Batch(c.ID()); err != nil {
			return err
		}
		id, marked := strings.CutPrefix(v.Batch.Kind, batch.Marked)
		if !marked {
			return apierr.Missing()
		}
		return m.readOutcomes(c, tx, &v, id)
	})
	return v, err
}

func (m *Marked) readOutcomes(c *page.Context, tx page.Tx, v *progressView, actionID string) error {
	states, err := tx.BatchStates(v.Batch.ID)
	if err != nil {
		return err
	}
	answers, err := refusals(tx, v.Batch.ID)
	if err != nil {
		return err
	}
	for i, s := range states {
		v.all = append(v.all, outcome{id: s.Reference, made: s.RecordID, Waits: s.Status == 0, Refusal: answers[i]})
	}
	v.Outcomes = shownOf(v.all)
	v.Hidden = len(v.all) - len(v.Outcomes)
	ids := make([]string, len(v.Outcomes))
	for i, o := range v.Outcomes {
		ids[i] = o.id
	}
	found, err := tx.Briefs(ids)
	if err != nil {
		return err
	}
	v.Type = m.typeOf(found)
	if v.Action, err = chosenAction(v.Type, actionID); err != nil {
		return err
	}
	labels, err := m.listOf(v.Type).RecordLabels(tx, v.Type, ids)
	if err != nil {
		return err
	}
	v.Back = c.ListPath(v.Type.Kind)
	for i := range v.Outcomes {
		o := &v.Outcomes[i]
		o.Name = "Deleted record"
		if f, there := found[o.id]; there {
			o.Name, o.Path, o.Status = labels[f.ID].Name, c.RecordPath(f.Kind, f.ID), f.Status
		}
		if v.Action.ID == page.CopyMarked && o.made != "" {
			o.Made = c.RecordPath(v.Type.Kind, o.made)
		}
	}
	return nil
}

// shownOf returns the outcomes that a page shows: all, or of many those of records on which the action was not taken, and then the
// first of the others.
func shownOf(all []outcome) []outcome {
	if len(all) <= maxMarked {
		return slices.Clone(all)
	}
	shown := slices.Clone(all)
	sorting.Stable(shown, func(a, b outcome) int {
		return cmp.Compare(min(len(b.Refusal), 1), min(len(a.Refusal), 1))
	})
	return shown[:maxMarked]
}

// typeOf returns the kind of records; of none, the first kind.
func (m *Marked) typeOf(found map[string]filing.Filing) *filing.Type {
	for _, f := range found {
		if at := slices.IndexFunc(m.Types, func(t *filing.Type) bool { return t.Kind == f.Kind }); at >= 0 {
			return m.Types[at]
		}
	}
	return m.Types[0]
}

// refusals returns why rows failed, by index.
func refusals(tx page.Tx, id string) (map[int]string, error) {
	reasons := map[int]string{}
	for after := -1; ; {
		read, err := tx.BatchResults(id, after, maxMarked, maxAnswers)
		if err != nil || len(read) == 0 {
			return reasons, err
		}
		for _, r := range read {
			if after = r.Index; !r.Succeeded() {
				reasons[r.Index] = reasonIn(r.Body)
			}
		}
	}
}

// reasonIn returns the reason in an error answer of the API, with the fields that it names.
func reasonIn(body []byte) string {
	var p struct {
		Code    apierr.Code     `json:"error"`
		Message string          `json:"message"`
		Details []apierr.Detail `json:"details"`
	}
	if json.Unmarshal(body, &p) != nil || p.Message == "" {
		return "The service could not do it. Try again."
	}
	switch p.Code {
	case apierr.PreconditionFailed:
		return "It was changed after you saw this review. Review it again."
	case apierr.HubNotEnabled:
		return "The Hub is no longer enabled."
	}
	text := p.Message
	for _, detail := range p.Details {
		field := detail.Field[strings.LastIndex(detail.Field, ".")+1:]
		text += " " + form.Label(field) + ": " + detail.Message + "."
	}
	return text
}
