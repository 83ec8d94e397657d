package trail

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
	retention.Standing
	Name, Link, By string
}

// holdsShown is how many holds a page has.
const holdsShown = 50

func (t *Trail) holds(v *page.Visit) error {
	behind, err := v.Place()
	if err != nil {
		return err
	}
	shown := holdsView{Record: v.R.URL.Query().Get("record")}
	if behind.ID != "" {
		shown.First = "/audit/holds"
	}
	if err := v.View(func(tx page.Tx) error { return t.readHolds(v, tx, behind, &shown) }); err != nil {
		return err
	}
	if err := t.holders(v, shown.Holds); err != nil {
		return err
	}
	return v.Show("audit-holds", "Legal holds", shown)
}

// readHolds reads a page of the holds with what their records are called.
func (t *Trail) readHolds(v *page.Visit, tx page.Tx, behind filing.Position, shown *holdsView) error {
	all, err := tx.StandingHolds(behind, holdsShown+1)
	if err != nil {
		return err
	}
	if len(all) > holdsShown {
		all = all[:holdsShown]
		last := all[holdsShown-1].Position(v.Session.Org)
		shown.Next = "/audit/holds?" + page.Behind(last.CreatedAt, last.ID)
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
		row := holdRow{Standing: h, Name: t.called(records, h.RecordID)}
		if _, there := records[h.RecordID]; there {
			row.Link = v.RecordPath(h.Kind, h.RecordID)
		}
		shown.Holds = append(shown.Holds, row)
	}
	shown.Called = t.called(records, shown.Record)
	return err
}

// called is what a record is called, or its id where it is there no longer.
func (t *Trail) called(records map[string]filing.Filing, id string) string {
	if f, there := records[id]; there {
		return t.Clerk.Called(&f)
	}
	return id
}

// holders names those who have set holds.
func (t *Trail) holders(v *page.Visit, rows []holdRow) error {
	names := map[string]string{}
	members, err := v.Accounts.Register.Members(v.R.Context(), v.Session.Org)
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

func (t *Trail) setHold(v *page.Visit) error {
	record := strings.ToLower(v.Value("record"))
	err := v.Update(func(tx page.Tx) error {
		if record != "" && !ident.IsUUID(record) {
			return named(apierr.Missing())
		}
		return named(retention.SetHold(tx, v.Call(), t.IDs.UUID, record, v.Value("reason")))
	})
	if err != nil {
		return v.Again(err, func() error { return t.holds(v) })
	}
	return v.Done("/audit/holds", "hold-set")
}

func (t *Trail) liftHold(v *page.Visit) error {
	held := v.Value("held")
	err := v.Update(func(tx page.Tx) error {
		if held != "" && !ident.IsUUID(held) {
			return apierr.Missing()
		}
		return retention.LiftHold(tx, v.Call(), t.IDs.UUID, held, v.Value("why"))
	})
	if err != nil {
		return v.Again(err, func() error { return t.holds(v) })
	}
	return v.Done("/audit/holds", "hold-lifted")
}

// named says of a record that is not there which field of the form named it.
func named(err error) error {
	if apierr.Is(err, apierr.NotFound) {
		return apierr.Invalid(apierr.Detail{Field: "record", Message: "must be the id of a record of this organisation"})
	}
	return err
}

// evidence is the evidence pack of a record of any kind.
func (t *Trail) evidence(v *page.Visit) error {
	var kind string
	if err := v.View(func(tx page.Tx) (err error) { kind, err = tx.KindOf(v.ID()); return err }); err != nil {
		return err
	}
	for _, k := range t.Types {
		if k.Kind == kind {
			return v.Evidence(t.Evidence, k)
		}
	}
	return apierr.Missing()
}
