package auditlog

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// holdsView is the data of the page of legal holds.
type holdsView struct {
	Holds      []holdRow
	First      string // URL of the first page; empty on it
	Next       string
	Record     string // id for the form, if the user comes from the record's page
	RecordName string
}

// holdRow is a hold with the name of its record and of the user who set it.
type holdRow struct {
	retention.ActiveHold
	Name, Link, By string
}

// holdsShown is the number of holds on a page.
const holdsShown = 50

func (a *AuditLog) holds(c *page.Context) error {
	after, err := c.Position()
	if err != nil {
		return err
	}
	shown := holdsView{Record: c.R.URL.Query().Get("record")}
	if after.ID != "" {
		shown.First = "/audit/holds"
	}
	if err := c.View(func(tx page.Tx) error { return a.readHolds(c, tx, after, &shown) }); err != nil {
		return err
	}
	if err := a.setHolders(c, shown.Holds); err != nil {
		return err
	}
	return c.Show("audit-holds", "Legal holds", shown)
}

// readHolds reads a page of holds with the names of their records.
func (a *AuditLog) readHolds(c *page.Context, tx page.Tx, after filing.Position, shown *holdsView) error {
	all, err := tx.ActiveHolds(after, holdsShown+1)
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
		row := holdRow{ActiveHold: h, Name: a.recordName(records, h.RecordID)}
		if _, there := records[h.RecordID]; there {
			row.Link = c.RecordPath(h.Kind, h.RecordID)
		}
		shown.Holds = append(shown.Holds, row)
	}
	shown.RecordName = a.recordName(records, shown.Record)
	return err
}

// recordName returns the name of a record, or its id if it no longer exists.
func (a *AuditLog) recordName(records map[string]filing.Filing, id string) string {
	if f, there := records[id]; there {
		return a.Describer.RecordName(&f)
	}
	return id
}

// setHolders sets the names of the users who set the holds.
func (a *AuditLog) setHolders(c *page.Context, rows []holdRow) error {
	names := map[string]string{}
	members, err := c.Accounts.Store.Members(c.R.Context(), c.Session.Org)
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
			return recordFieldError(apierr.Missing())
		}
		return recordFieldError(retention.SetHold(tx, c.Call(), a.IDs.UUID, record, c.Value("reason")))
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

// recordFieldError turns a missing record into an error of the form's record field.
func recordFieldError(err error) error {
	if apierr.Is(err, apierr.NotFound) {
		return apierr.Invalid(apierr.Detail{Field: "record", Message: "must be the id of a record of this organisation"})
	}
	return err
}

// evidence sends the evidence pack of a record of any kind.
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
