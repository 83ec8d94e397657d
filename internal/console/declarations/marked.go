package declarations

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Matching returns the first declarations of the list with a query, and whether there are more. It refuses a search while the index is
// being made: what is done with all that match must not leave any out.
func (d *Declarations) Matching(c *page.Context, t *filing.Type, query url.Values, limit int) (ids []string, more bool, err error) {
	f := readFilter(query)
	q, err := f.question(t.Lifecycle.States)
	if err != nil {
		return nil, false, err
	}
	if q.Limit = limit; f.Searches() {
		page, err := d.Search.Find(c.R.Context(), c.Session.Org, q)
		if incomplete := page.Incomplete(); err == nil && incomplete != "" {
			return nil, false, apierr.New(apierr.RequestInProgress, "%s Mark declarations in the list instead, or try again later.", incomplete)
		}
		return page.IDs, page.More, err
	}
	err = c.View(func(tx page.Tx) error {
		p, err := inOrder(tx, q, f, c.Session.UserID, t.Lifecycle.States)
		ids, more = p.ids, p.more
		return err
	})
	return ids, more, err
}

// RecordLabels returns what declarations are called, and client and goods.
func (d *Declarations) RecordLabels(tx page.Tx, _ *filing.Type, ids []string) (map[string]page.RecordLabel, error) {
	all, err := rows(tx, ids)
	labels := make(map[string]page.RecordLabel, len(all))
	for _, r := range all {
		about := slices.DeleteFunc([]string{r.Client, r.Goods}, func(text string) bool { return text == "" })
		labels[r.ID] = page.RecordLabel{Name: r.Name(), About: strings.Join(about, " · ")}
	}
	return labels, err
}

// Findings returns what must be fixed and what should be checked in a declaration.
func (d *Declarations) Findings(tx page.Tx, _ *filing.Type, f *filing.Filing) ([]rules.Finding, error) {
	in, err := d.Customs.ReviewInput(tx, f.ID)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(d.Analysis.Review(in).Findings), func(f rules.Finding) bool { return f.Severity == rules.Info })
	return rewordFindings(found), nil
}
