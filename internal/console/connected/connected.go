// Package connected reads what belongs to a client or a shipment, for the pages of both: declarations, what customs rejected, money by
// month, documents, and records of Hubs that name it.
package connected

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Limits of what the pages of clients and shipments show of other records.
const (
	rowsShown      = 8        // records of each kind
	draftsAmong    = 60       // latest declarations among which drafts are looked for
	draftsReviewed = 5        // of them; each takes some statements
	maxBody        = 64 << 10 // bytes of a declaration that are read; of a longer one goods and documents are not shown
	monthsShown    = 12
	moneyRecords   = 2000 // declarations of a shipment that are summed
	documentsShown = 20
)

//go:embed parts
var parts embed.FS

// Partials returns the template "connected", which takes the page and a View.
func Partials() fs.FS {
	below, _ := fs.Sub(parts, "parts") // the folder is embedded
	return below
}

// Reader reads what belongs to a client or a shipment.
type Reader struct {
	Find  func(context.Context, tenant.ID, search.Query) (search.FoundPage, error) // over records of all kinds
	Kinds map[string]Kind                                                          // with a page, by name

	// Findings returns what must be fixed and what should be checked in a declaration, in words; nil for none.
	Findings func(page.Tx, *filing.Type, *filing.Filing) ([]rules.Finding, error)
}

// Kind is what pages show of a kind of records.
type Kind struct {
	Singular, Plural string                      // in words, with a capital letter
	Path             string                      // of the list
	OfHub            bool                        // whether it belongs to a Hub besides the foundational one
	Title            func(*filing.Filing) string // of a record
}

// View is what belongs to a client or a shipment, latest first.
type View struct {
	Declarations List
	Rejected     List // declarations that customs rejected
	Drafts       []draft
	Others       []List
	Money        []moneyRow
	MoneyLimited bool // only the latest declarations are summed
	Documents    []document
	Named        []row    // records of other Hubs that name it
	NamedBy      string   // the text by which they were found
	Incomplete   string   // why some may be missing; empty if all are found
	NewPath      string   // where a declaration for it is made; empty for none
	VehiclePath  string   // where a goods movement record with the accepted declarations of a shipment is made; empty for none
	words        []string // texts by which other records may name it
}

// List is the latest records of one kind.
type List struct {
	Title   string
	AllPath string // of the list with all of them; empty if there is none, or if all are shown
	Rows    []row
	More    bool // there are more than those shown
}

type row struct {
	Path, Name, Goods, Value string
	Status                   lifecycle.State
	CreatedAt                time.Time
}

// draft is a draft that customs would reject.
type draft struct {
	row
	Fault string // what must be fixed
	More  int    // further ones
}

// document is a document that a declaration declares, or a file that was given for customs.
type document struct{ Type, Reference, Path, Record string }

// moneyRow is what was declared and is owed for the declarations that were cleared in a month.
type moneyRow struct {
	Month            string // such as November 2026
	Path             string // of the list of the declarations that customs cleared in it; empty for none
	Records          int64
	Value, Duty, VAT string
}

// Read reads the records that belong to a client or a shipment; nil for other kinds. The number of statements is constant.
func (a *Reader) Read(c *page.Context, tx page.Tx, f *filing.Filing) (*View, error) {
	selection := filing.Selection{Limit: rowsShown + 1}
	shown, query := &View{}, ""
	switch f.Kind {
	case customs.Clients.Kind:
		selection.ClientID, query = f.ID, "client="+f.ID
		shown.words = wordsOf(f.Body, "eori")
	case customs.Shipments.Kind:
		selection.ShipmentID = f.ID
		shown.NewPath = "/shipments/" + f.ID + "/declaration"
	default:
		return nil, nil
	}
	if err := a.connectDeclarations(c, tx, shown, selection, query); err != nil {
		return nil, err
	}
	if f.Kind == customs.Clients.Kind {
		for _, kind := range []string{customs.Shipments.Kind, "product", "template"} {
			if err := a.connectKind(tx, shown, selection, kind); err != nil {
				return nil, err
			}
		}
	} else if len(shown.words) == 0 {
		shown.words = wordsOf(f.Body, "containers")
	}
	return shown, shown.addMoney(tx, selection)
}

// addMoney adds the sums of the declarations that customs cleared in the latest months.
func (v *View) addMoney(tx page.Tx, of filing.Selection) error {
	since := tx.Now().AddDate(-1, -1, 0)
	if of.ClientID == "" {
		sums, err := tx.LinkedSums(filing.LinkedLedgers{Kind: customs.DeclarationKind, ShipmentID: of.ShipmentID, Since: since, Limit: moneyRecords})
		v.Money, v.MoneyLimited = moneyRows(sums.Tallies), sums.Records == moneyRecords
		return err
	}
	sums, err := tx.ClientTallies(filing.ClientTallies{
		ClientIDs: []string{of.ClientID}, Ledgers: []string{customs.DeclaredValue, customs.ImportDuty, customs.ImportVAT},
		FromMonth: since.Format(monthName), ToMonth: tx.Now().AddDate(0, 1, 0).Format(monthName),
	})
	tallies := make([]filing.LedgerTally, len(sums))
	for i, s := range sums {
		tallies[i] = s.LedgerTally
	}
	v.Money = moneyRows(tallies)
	for i := range v.Money {
		month, _ := time.Parse(longMonth, v.Money[i].Month) // was formatted here
		v.Money[i].Path = fmt.Sprintf("/declarations?client=%s&clearedFrom=%s&clearedTo=%s", of.ClientID, month.Format(time.DateOnly), month.AddDate(0, 1, -1).Format(time.DateOnly))
	}
	return err
}

// monthName is the format of months in tallies.
const monthName = "2006-01"

// longMonth is the format of months on the page.
const longMonth = "January 2006"

// connectDeclarations reads the latest declarations and those that customs rejected.
func (a *Reader) connectDeclarations(c *page.Context, tx page.Tx, shown *View, s filing.Selection, query string) error {
	s.Kind, s.Limit = customs.DeclarationKind, draftsAmong
	latest, err := tx.Select(s)
	if err != nil {
		return err
	}
	drafts := latest
	s.Limit = rowsShown + 1
	shown.Declarations = List{Title: "Declarations", More: len(latest) > rowsShown}
	if query != "" {
		shown.Declarations.AllPath = "/declarations?" + query
	}
	s.Statuses = []lifecycle.State{lifecycle.Rejected}
	rejected, err := tx.Select(s)
	if err != nil {
		return err
	}
	shown.Rejected = List{Title: "Rejected by customs", More: len(rejected) > rowsShown}
	if query != "" {
		shown.Rejected.AllPath = "/declarations?status=REJECTED&" + query
	}
	latest, rejected = latest[:min(len(latest), rowsShown)], rejected[:min(len(rejected), rowsShown)]
	whole, err := wholeOf(tx, latest, rejected)
	if err != nil {
		return err
	}
	if err := a.addDrafts(c, tx, shown, drafts); err != nil {
		return err
	}
	for i := range latest {
		d := declarationOf(&latest[i], whole[latest[i].ID], c.RecordPath(customs.DeclarationKind, latest[i].ID))
		shown.Declarations.Rows = append(shown.Declarations.Rows, d.row)
		shown.Documents = append(shown.Documents, d.documents...)
		if d.mrn != "" && s.ShipmentID != "" && len(shown.words) == 0 {
			shown.words = []string{d.mrn}
		}
	}
	if s.ShipmentID != "" && c.Session.Hubs.Has("gvms") {
		shown.VehiclePath = vehiclePath(latest)
	}
	shown.Documents = shown.Documents[:min(len(shown.Documents), documentsShown)]
	for i := range rejected {
		d := declarationOf(&rejected[i], whole[rejected[i].ID], c.RecordPath(customs.DeclarationKind, rejected[i].ID))
		shown.Rejected.Rows = append(shown.Rejected.Rows, d.row)
	}
	return nil
}

// addDrafts adds the latest drafts of some declarations that customs would reject.
func (a *Reader) addDrafts(c *page.Context, tx page.Tx, shown *View, declarations []filing.Filing) error {
	reviewed := 0
	for i := range declarations {
		f := &declarations[i]
		if f.Status != lifecycle.Draft || a.Findings == nil || reviewed == draftsReviewed {
			continue
		}
		reviewed++
		found, err := a.Findings(tx, nil, f)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(f rules.Finding) bool { return f.Severity != rules.Blocker })
		if len(found) > 0 {
			d := declarationOf(f, nil, c.RecordPath(customs.DeclarationKind, f.ID))
			shown.Drafts = append(shown.Drafts, draft{d.row, found[0].Message, len(found) - 1})
		}
	}
	return nil
}

// vehiclePath returns where a goods movement record with the declarations that customs has accepted is made; empty if there are none.
func vehiclePath(declarations []filing.Filing) (path string) {
	for i := range declarations {
		if s := declarations[i].Status; s == lifecycle.Accepted || s == customs.Cleared {
			path += "&record=" + declarations[i].ID
		}
	}
	if path == "" {
		return ""
	}
	return "/hubs/gvms/movements/new?take=declarations" + path
}

// connectKind reads the latest records of a kind that belong to a client.
func (a *Reader) connectKind(tx page.Tx, shown *View, s filing.Selection, kind string) error {
	k, known := a.Kinds[kind]
	if !known {
		return nil
	}
	s.Kind = kind
	found, err := tx.Select(s)
	if err != nil || len(found) == 0 {
		return err
	}
	list := List{Title: k.Plural, More: len(found) > rowsShown, AllPath: k.Path}
	for i := range found[:min(len(found), rowsShown)] {
		f := &found[i]
		if f.Body == nil {
			f.Body = f.Brief
		}
		list.Rows = append(list.Rows, row{Path: k.Path + "/" + f.ID, Name: k.Title(f), Status: f.Status, CreatedAt: f.CreatedAt})
	}
	shown.Others = append(shown.Others, list)
	return nil
}

// FindNamed finds records of other Hubs that name a client's EORI, or a shipment's MRN or container. It has transactions of its
// own, so it must be called after that of Read has ended.
func (a *Reader) FindNamed(c *page.Context, shown *View) error {
	if shown == nil || len(shown.words) == 0 || a.Find == nil {
		return nil
	}
	shown.NamedBy = shown.words[0]
	page, err := a.Find(c.R.Context(), c.Session.Org, search.Query{Text: shown.NamedBy, Limit: 5 * rowsShown})
	if err != nil {
		return err
	}
	shown.Incomplete = page.Incomplete()
	for _, f := range page.Records {
		if k := a.Kinds[f.Kind]; k.OfHub && len(shown.Named) < rowsShown {
			shown.Named = append(shown.Named, row{Path: k.Path + "/" + f.ID, Name: cmp.Or(f.Name(), f.Matched), Goods: k.Singular, Status: f.Status, CreatedAt: f.CreatedAt})
		}
	}
	return nil
}

// wordsOf returns the texts of a member, which is a text or a list of texts.
func wordsOf(body json.RawMessage, member string) (words []string) {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(body, &all)
	var one string
	if json.Unmarshal(all[member], &one) == nil && one != "" {
		return []string{one}
	}
	_ = json.Unmarshal(all[member], &words)
	return words
}

// wholeOf reads the bodies of declarations in one statement.
func wholeOf(tx page.Tx, lists ...[]filing.Filing) (map[string]*filing.Filing, error) {
	var ids []string
	for _, list := range lists {
		for i := range list {
			ids = append(ids, list[i].ID)
		}
	}
	whole := map[string]*filing.Filing{}
	if ids == nil {
		return whole, nil
	}
	found, err := tx.FilingsByID(customs.DeclarationKind, ids, maxBody)
	for i := range found {
		whole[found[i].ID] = &found[i]
	}
	return whole, err
}

// declaration is a declaration as the page of its client or shipment shows it.
type declaration struct {
	row
	mrn       string
	documents []document
}

func declarationOf(f, whole *filing.Filing, path string) (d declaration) {
	var added customs.DeclarationAdds
	var brief, body customs.Declaration
	_, _ = json.Unmarshal(f.Added, &added), json.Unmarshal(f.Brief, &brief) // written by the service
	d.row = row{Path: path, Name: cmp.Or(brief.Reference, added.LRN), Status: f.Status, CreatedAt: f.CreatedAt}
	if added.MRN != nil {
		d.mrn = *added.MRN
	}
	if whole == nil || json.Unmarshal(whole.Body, &body) != nil || len(body.Items) == 0 { // a longer body is cut
		return d
	}
	d.Goods = cmp.Or(body.Items[0].Description, "No description")
	if more := len(body.Items) - 1; more > 0 {
		d.Goods += fmt.Sprintf(" and %d more", more)
	}
	valued := body.WithValues(added.Valuation)
	d.Value = valued.Worth(pounds(valued.Value()))
	for _, doc := range body.Documents {
		d.documents = append(d.documents, document{worksheet.WithName("documents", doc.Type), doc.Reference, path + "#documents", d.Name})
	}
	for _, file := range added.Files {
		d.documents = append(d.documents, document{file.DocumentType, file.FileName, path + "/file?part=" + file.ID, d.Name})
	}
	return d
}

// moneyRows returns the latest months with cleared declarations.
func moneyRows(tallies []filing.LedgerTally) (rows []moneyRow) {
	last := ""
	for _, t := range tallies {
		if t.Month != last {
			if len(rows) == monthsShown {
				return rows
			}
			month, _ := time.Parse(monthName, t.Month) // written by the service
			rows, last = append(rows, moneyRow{Month: month.Format(longMonth)}), t.Month
		}
		row := &rows[len(rows)-1]
		row.Records = max(row.Records, t.Records)
		switch t.Ledger {
		case customs.DeclaredValue:
			row.Value = pounds(quantity.PoundsOf(t.Amount))
		case customs.ImportDuty:
			row.Duty = pounds(quantity.PoundsOf(t.Amount))
		case customs.ImportVAT:
			row.VAT = pounds(quantity.PoundsOf(t.Amount))
		}
	}
	return rows
}

// pounds formats an amount, such as £1,850.00.
func pounds(m quantity.Money) string {
	whole, pence, _ := strings.Cut(strings.TrimPrefix(m.Fixed(), "-"), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if m.Sign() < 0 {
		return "−£" + whole + "." + pence
	}
	return "£" + whole + "." + pence
}
