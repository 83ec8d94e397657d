package filings

import (
	"net/url"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Matching returns the first records of the list of a kind with a query, and whether there are more.
func (a *Filings) Matching(c *page.Context, t *filing.Type, query url.Values, limit int) (ids []string, more bool, err error) {
	k := a.kindNamed(t.Kind)
	if k == nil {
		return nil, false, apierr.Missing()
	}
	q := k.question(query, c.Session.UserID)
	q.After, q.Limit = filing.Position{}, limit+1
	err = c.View(func(tx page.Tx) error {
		found, err := page.ReadSort(query.Get("sort")).Select(tx, q, t.Lifecycle.States)
		for i := range found {
			ids = append(ids, found[i].ID)
		}
		return err
	})
	if more = len(ids) > limit; more {
		ids = ids[:limit]
	}
	return ids, more, err
}

// RecordLabels returns what records are called, and the member that lists show after the name.
func (a *Filings) RecordLabels(tx page.Tx, t *filing.Type, ids []string) (map[string]page.RecordLabel, error) {
	k, labels := a.kindNamed(t.Kind), map[string]page.RecordLabel{}
	if k == nil {
		return labels, nil
	}
	found, err := tx.Briefs(ids)
	for id, f := range found {
		label := page.RecordLabel{Name: k.title(&f)}
		if cells := k.members(k.listMembers()[1:], f.Brief, f.Added); len(cells) > 0 {
			label.About = cells[0].Text()
		}
		labels[id] = label
	}
	return labels, err
}

// Findings returns what must be fixed and what should be checked in a record.
func (a *Filings) Findings(tx page.Tx, t *filing.Type, f *filing.Filing) ([]rules.Finding, error) {
	k := a.kindNamed(t.Kind)
	if k == nil || len(t.Rules) == 0 {
		return nil, nil
	}
	found, err := a.Service.ReviewIn(tx.Mode(), t, f, tx.Now())
	if err != nil {
		return []rules.Finding{{Severity: rules.Warning, Message: "The record is too long to be reviewed here. Open it to see its review."}}, nil
	}
	sheet := k.body.Fill(f.Body)
	kept := slices.DeleteFunc(slices.Clone(found.Findings), func(f rules.Finding) bool { return f.Severity == rules.Info })
	for i := range kept {
		kept[i].Message = sheet.ReplaceNames(kept[i].Message)
	}
	return kept, nil
}
