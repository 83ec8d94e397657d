package auditlog

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// holdsView is what the page of the legal holds shows.
type holdsView struct {
	Holds  []holdRow
	First  string // address of the first page, where this is not
	Next   string
	Record string // that the form is about, where the visitor comes from its page
	Called string
}

// holdRow is a hold with what its record is called, and who has set it.
type holdRow struct {
	retention.ActiveHold
	Name, Link, By string
}

// holdsShown is how many holds a page has.
const holdsShown = 50

func (a *AuditLog) holds(c *page.Context) error {
	behind, err := c.Position()
	if err != nil {
		return err
	}
	shown := holdsView{Record: c.R.URL.Query().Get("record")}
	if behind.ID != "" {
		shown.First = "/audit/holds"
	}
	if err := c.View(func(tx page.Tx) error { return a.readHolds(c, tx, behind, &shown) }); err != nil {
		return err
	}
	if err := a.holders(c, shown.Holds); err != nil {
		return err
	}
	return c.Show("audit-holds", "Legal holds", shown)
}

// readHolds reads a page of the holds with what their records are called.
func (a *AuditLog) readHolds(c *page.Context, tx page.Tx, behind filing.Position, shown *holdsView) error {
	all, err := tx.ActiveHolds(behind, holdsShown+1)
	if err != nil {
		return err
	}
	if len(all) > holdsShown {
		all = all[:holdsShown]
		last := all[holdsShown-1].Position(c.Session.Org)
		shown.Next = "/audit/holds?" + page.PositionQuery(last.CreatedAt, last.ID)
	}
	var ids []string
	for _, h := range all {
		if h.RecordID != "" {
			ids = append(ids, h.RecordID)
		}
	}
	if ident.IsUUID(shown.Record) {
		ids = append(ids, shown.Record)
	}
	records, err := tx.Briefs(ids)
	for _, h := range all {
		row := holdRow{ActiveHold: h, Name: a.called(records, h.RecordID)}
		if _, there := records[h.RecordID]; there {
			row.Link = c.RecordPath(h.Kind, h.RecordID)
		}
		shown.Holds = append(shown.Holds, row)
	}
	shown.Called = a.called(records, shown.Record)
	return err
}

// called is what a record is called, or its id where it is there no longer.
func (a *AuditLog) called(records map[string]filing.Filing, id string) string {
	if f, there := records[id]; there {
		return a.Clerk.Called(&f)
	}
	return id
}

// holders names those who have set holds.
func (a *AuditLog) holders(c *page.Context, rows []holdRow) error {
	names := map[string]string{}
	members, err := c.Accounts.Register.Members(c.R.Context(), c.Session.Org)
	for _, m := range members {
		names[m.ID] = m.Name
	}
	for i := range rows {
		rows[i].By = names[rows[i].UserID]
		if rows[i].Operator {
			rows[i].By = "the operator"
		}
	}
	return err
}

func (a *AuditLog) setHold(c *page.Context) error {
	record := strings.ToLower(c.Value("record"))
	err := c.Update(func(tx page.Tx) error {
		if record != "" && !ident.IsUUID(record) {
			return named(apierr.Missing())
		}
		return named(retention.SetHold(tx, c.Call(), a.IDs.UUID, record, c.Value("reason")))
	})
	if err != nil {
		return c.Redisplay(err, func() error { return a.holds(c) })
	}
	return c.RedirectWithNotice("/audit/holds", "hold-set")
}

func (a *AuditLog) liftHold(c *page.Context) error {
	held := c.Value("held")
	err := c.Update(func(tx page.Tx) error {
		if held != "" && !ident.IsUUID(held) {
			return apierr.Missing()
		}
		return retention.LiftHold(tx, c.Call(), a.IDs.UUID, held, c.Value("why"))
	})
	if err != nil {
		return c.Redisplay(err, func() error { return a.holds(c) })
	}
	return c.RedirectWithNotice("/audit/holds", "hold-lifted")
}

// named says of a record that is not there which field of the form named it.
func named(err error) error {
	if apierr.Is(err, apierr.NotFound) {
		return apierr.Invalid(apierr.Detail{Field: "record", Message: "must be the id of a record of this organisation"})
	}
	return err
}

// evidence is the evidence pack of a record of any kind.
func (a *AuditLog) evidence(c *page.Context) error {
	var kind string
	if err := c.View(func(tx page.Tx) (err error) { kind, err = tx.KindOf(c.ID()); return err }); err != nil {
		return err
	}
	for _, k := range a.Types {
		if k.Kind == kind {
			return c.Evidence(a.Evidence, k)
		}
	}
	return apierr.Missing()
}
