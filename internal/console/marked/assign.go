package marked

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// assign gives the marked records to a member, or to no one, and shows the list again. Of a list with more records than can be
// taken at once, the first are assigned, and the list says so.
func (m *Marked) assign(c *page.Context) error {
	t, list, err := m.chosenKind(c)
	if err != nil {
		return err
	}
	member, err := assignee(c)
	if err != nil {
		return err
	}
	if !t.Assignable() {
		return apierr.Missing()
	}
	a, back := action{Verb: "Assign"}, backTo(c, t)
	ids, more, err := chosenRecords(c, t, list, a)
	if err != nil {
		c.Label = func(string) string { return "The records" }
		return c.Redisplay(err, func() error {
			return c.Show("marked-confirm", "Nothing is marked", confirmView{Type: t, Action: a, Back: back})
		})
	}
	assigned := 0
	err = c.Update(func(tx page.Tx) (err error) {
		assigned, err = m.assignEach(c, tx, t, ids, member)
		return err
	})
	if err != nil {
		return err
	}
	if assigned == 0 {
		return apierr.Missing() // of another organisation, or deleted meanwhile
	}
	mark, notice := "?", "marked-assigned"
	if strings.Contains(back, "?") {
		mark = "&"
	}
	if more {
		notice = "first-assigned"
	}
	return c.Redirect(back + mark + "done=" + notice)
}

// assignee returns the chosen member; empty for no one. Without a choice nothing is assigned.
func assignee(c *page.Context) (string, error) {
	switch member := c.Value("assignee"); member {
	case "":
		return "", apierr.New(apierr.InvalidRequest, "Choose a member, or No one, beside Assign.")
	case "none":
		return "", nil
	default:
		return member, nil
	}
}

// assignEach assigns records and returns how many there still are.
func (m *Marked) assignEach(c *page.Context, tx page.Tx, t *filing.Type, ids []string, member string) (assigned int, err error) {
	for _, id := range ids {
		switch _, err := m.Filings.Assign(tx, c.Call(), t, id, nil, member); {
		case err == nil:
			assigned++
		case !apierr.Is(err, apierr.NotFound):
			return 0, err
		}
	}
	return assigned, nil
}
