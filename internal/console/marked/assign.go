package marked

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// assign gives the marked records to a member, or to no one, and shows the list again. More records than a page shows are assigned by
// a batch of calls of the API.
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
	a, back := action{ID: page.AssignMarked, Verb: "Assign"}, backTo(c, t)
	ids, _, err := chosenRecords(c, t, list, a)
	if err != nil {
		c.Label = func(string) string { return "The records" }
		return c.Redisplay(err, func() error {
			return c.Show("marked-confirm", "Nothing is marked", confirmView{Type: t, Action: a, Back: back})
		})
	}
	if len(ids) > maxMarked {
		return m.assignLater(c, t, ids, member)
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
	mark := "?"
	if strings.Contains(back, "?") {
		mark = "&"
	}
	return c.Redirect(back + mark + "done=marked-assigned")
}

// assignLater makes the batch that assigns records, and leads to its page.
func (m *Marked) assignLater(c *page.Context, t *filing.Type, ids []string, member string) error {
	body, err := json.Marshal(map[string]*string{filing.AssigneeMember: orNull(member)})
	if err != nil {
		return err
	}
	rows, id := make([]batch.Row, len(ids)), c.IDs.UUID()
	for i, record := range ids {
		rows[i] = batch.Row{Operation: batch.Operation{Method: http.MethodPatch, Path: t.Path + "/" + record, Reference: record, Body: body}, Index: i}
	}
	err = c.Update(func(tx page.Tx) error {
		_, err := m.Batches.CreateOnce(tx, id, batch.Sender{Call: c.Call()}, batch.Marked+string(page.AssignMarked), rows)
		return err
	})
	if err != nil {
		return err
	}
	return c.Redirect("/marked/" + id)
}

// orNull returns nil for an empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
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
