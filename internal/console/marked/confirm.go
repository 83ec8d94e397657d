package marked

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// confirmView is the data of the page that says what will happen to the marked records.
type confirmView struct {
	*filing.Type
	Action  action
	Records []record
	Common  []common // what the reviews found
	Usual   []common // usual values that the service adds
	Ready   int      // records on which the action will be taken
	Blocked int      // of them, those that the authority would reject
	More    bool     // more records match the list than can be taken at once
	Form    string   // ID of the form: sent twice, it has one effect
	Back    string   // path of the list
	Query   string   // of the list
	Awaits  bool     // records that no second person has approved are not submitted, so that approval can be asked for
	Submits bool     // whether records of the kind can be submitted
}

// Noun is what the records are called.
func (v confirmView) Noun() string { return noun(v.Type, v.Ready) }

// Customs reports whether the records go to customs.
func (v confirmView) Customs() bool {
	return v.Kind == page.DeclarationKind && v.Action.ID == lifecycle.Submit
}

// BlockedRows are the numbers of the blocked ones among the records on which the action will be taken, from 0, with spaces between them.
func (v confirmView) BlockedRows() string {
	var all []string
	row := 0
	for _, r := range v.Records {
		if r.Refusal != "" {
			continue
		}
		if len(r.Blockers()) > 0 {
			all = append(all, strconv.Itoa(row))
		}
		row++
	}
	return strings.Join(all, " ")
}

// Others is the number of records that are not blocked.
func (v confirmView) Others() int { return v.Ready - v.Blocked }

// Shown are the findings that are listed: what must be fixed first, then what most records have.
func (v confirmView) Shown() []common { return v.Common[:min(len(v.Common), maxShown)] }

// ShownUsual are the usual values that are listed.
func (v confirmView) ShownUsual() []common {
	return v.Usual[:min(len(v.Usual), maxShown-len(v.Shown()))]
}

// Unlisted is the number of findings that are not listed.
func (v confirmView) Unlisted() int { return len(v.Common) - len(v.Shown()) }

// maxShown is the number of findings that are listed, so that a page stays below 150 kB.
const maxShown = 60

// noun returns what some records of a kind are called.
func noun(t *filing.Type, count int) string {
	if count == 1 {
		return t.Singular
	}
	return t.Plural
}

// record is a marked record.
type record struct {
	filing.Filing
	page.RecordLabel
	Path     string
	Findings []rules.Finding // besides the usual values that the service adds
	Refusal  string          // why the action is not taken; empty if it is
}

// Blockers are the findings that must be fixed.
func (r record) Blockers() []rules.Finding { return r.of(rules.Blocker) }

// Warnings are the findings that should be checked.
func (r record) Warnings() []rules.Finding { return r.of(rules.Warning) }

func (r record) of(severity rules.Severity) []rules.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f rules.Finding) bool { return f.Severity != severity })
}

// common is a finding of several records.
type common struct {
	rules.Finding
	Records int
}

// confirm shows what will happen to the marked records, or sends them as a file.
func (m *Marked) confirm(c *page.Context) error {
	t, list, err := m.chosenKind(c)
	if err != nil {
		return err
	}
	a, err := chosenAction(t, c.Value("action"))
	if err != nil {
		return err
	}
	if a.ID == page.AssignMarked {
		return apierr.Missing() // needs a member, and no confirmation
	}
	v := confirmView{Type: t, Action: a, Form: c.IDs.UUID(), Back: backTo(c, t), Query: c.Value("query"), Awaits: a.ID != lifecycle.AskApproval && a.Reviews() && c.AsksApproval(t), Submits: page.CanMark(t, lifecycle.Submit)}
	ids, more, err := chosenRecords(c, t, list, a)
	if err != nil {
		c.Label = func(string) string { return "The records" }
		return c.Redisplay(err, func() error { return c.Show("marked-confirm", "Nothing is marked", v) })
	}
	if a.Exports() {
		return m.export(c, t, a, ids)
	}
	if a.ID == lifecycle.AskApproval && !c.AsksApproval(t) {
		return apierr.Missing()
	}
	v.More = more
	if err := c.View(func(tx page.Tx) error { return v.read(c, tx, list, ids) }); err != nil {
		return err
	}
	if v.Records == nil {
		return apierr.Missing() // of another organisation, or deleted meanwhile
	}
	return c.Show("marked-confirm", fmt.Sprintf("%s %d %s", a.Verb, v.Ready, v.Noun()), v)
}

// backTo returns the path of the list with its filter.
func backTo(c *page.Context, t *filing.Type) string {
	path := c.ListPath(t.Kind)
	if query, err := url.ParseQuery(c.Value("query")); err == nil && len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// chosenRecords returns the IDs of the marked records, or of the first that match the list, and whether more match.
func chosenRecords(c *page.Context, t *filing.Type, list List, a action) (ids []string, more bool, err error) {
	limit := maxMarked
	if a.Exports() || a.ID == page.AssignMarked {
		limit = batch.MaxRows
	}
	if c.Value("all") != "" {
		query, err := url.ParseQuery(c.Value("query"))
		if err != nil {
			return nil, false, apierr.Missing()
		}
		if ids, more, err = list.Matching(c, t, query, limit); err != nil || len(ids) > 0 {
			return ids, more, err
		}
	}
	if ids == nil {
		ids = slices.Compact(slices.Sorted(slices.Values(c.R.PostForm["id"])))
		ids = slices.DeleteFunc(ids, func(id string) bool { return !ident.IsUUID(id) })
	}
	if len(ids) == 0 || len(ids) > limit {
		return nil, false, apierr.Invalid(apierr.Detail{Field: "id", Message: fmt.Sprintf("must be marked in the list: 1 to %d of them", limit)})
	}
	return ids, false, nil
}

// read reads the records with their reviews, in one snapshot.
func (v *confirmView) read(c *page.Context, tx page.Tx, list List, ids []string) error {
	found, err := tx.FilingsByID(v.Kind, ids, bodySize)
	if err != nil {
		return err
	}
	labels, err := list.RecordLabels(tx, v.Type, ids)
	if err != nil {
		return err
	}
	sorting.Stable(found, func(a, b filing.Filing) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	for i := range found {
		f := found[i]
		r := record{Filing: f, RecordLabel: labels[f.ID], Path: c.RecordPath(v.Kind, f.ID), Refusal: v.Action.refusal(v.Type, f.Status)}
		if r.Refusal == "" && v.Action.ID == lifecycle.AskApproval {
			if r.Refusal, err = waits(tx, f.ID); err != nil {
				return err
			}
		}
		if r.Refusal == "" && v.Action.Reviews() {
			if r.Findings, err = list.Findings(tx, v.Type, &f); err != nil {
				return err
			}
		}
		v.add(r)
	}
	for _, all := range [][]common{v.Common, v.Usual} {
		sorting.Stable(all, func(a, b common) int {
			return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(b.Records, a.Records))
		})
	}
	return nil
}

// add counts a record and its findings, and leaves it those about what it states.
func (v *confirmView) add(r record) {
	var stated []rules.Finding
	for _, f := range r.Findings {
		if f.Value != "" && f.Severity != rules.Blocker {
			v.Usual = count(v.Usual, f)
			continue
		}
		stated, v.Common = append(stated, f), count(v.Common, f)
	}
	r.Findings = stated
	if v.Records = append(v.Records, r); r.Refusal != "" {
		return
	}
	if v.Ready++; len(r.Blockers()) > 0 {
		v.Blocked++
	}
}

// count adds a record to a finding.
func count(all []common, f rules.Finding) []common {
	at := slices.IndexFunc(all, func(c common) bool { return c.Code == f.Code && c.Message == f.Message })
	if at < 0 {
		at = len(all)
		all = append(all, common{Finding: f})
	}
	all[at].Records++
	return all
}
