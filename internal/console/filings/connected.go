package filings

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Limits of what the pages of clients and shipments show of other records.
const (
	connectedShown = 8        // records of each kind
	connectedBody  = 64 << 10 // bytes of a declaration that are read; of a longer one goods and documents are not shown
	monthsShown    = 12
	moneyRecords   = 2000 // declarations that are summed
	documentsShown = 20
)

// FindRecords finds records of all kinds by their texts.
type FindRecords func(context.Context, tenant.ID, search.Query) ([]search.FoundRecord, *filing.Position, error)

// connected are the records that belong to a client or a shipment, latest first.
type connected struct {
	Declarations connectedList
	Rejected     connectedList // declarations that customs rejected
	Others       []connectedList
	Money        []moneyRow
	MoneyLimited bool // only the latest declarations are summed
	Documents    []connectedDocument
	Named        []connectedRow // records of other Hubs that name it
	NamedBy      string         // the text by which they were found
	NewPath      string         // where a declaration for it is made; empty for none
	words        []string       // texts by which other records may name it
}

// connectedList is the latest records of one kind.
type connectedList struct {
	Title   string
	AllPath string // of the list with all of them; empty if there is none, or if all are shown
	Rows    []connectedRow
	More    bool // there are more than those shown
}

type connectedRow struct {
	Path, Name, Goods, Value string
	Status                   lifecycle.State
	CreatedAt                time.Time
}

// connectedDocument is a document that a declaration declares, or a file that was given for customs.
type connectedDocument struct{ Type, Reference, Path, Record string }

// moneyRow is what was declared and is owed for the declarations that were cleared in a month.
type moneyRow struct {
	Month            string // such as November 2026
	Records          int64
	Value, Duty, VAT string
}

// connect reads the records that belong to a client or a shipment; nil for other kinds. The number of statements is constant.
func (a *Filings) connect(c *page.Context, tx page.Tx, f *filing.Filing) (*connected, error) {
	selection := filing.Selection{Limit: connectedShown + 1}
	ledgers := filing.LinkedLedgers{Kind: customs.DeclarationKind, Since: tx.Now().AddDate(-1, -1, 0), Limit: moneyRecords}
	shown, query := &connected{}, ""
	switch f.Kind {
	case customs.Clients.Kind:
		selection.ClientID, ledgers.ClientID, query = f.ID, f.ID, "client="+f.ID
		shown.words = wordsOf(f.Body, "eori")
	case customs.Shipments.Kind:
		selection.ShipmentID, ledgers.ShipmentID = f.ID, f.ID
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
	sums, err := tx.LinkedSums(ledgers)
	if err != nil {
		return nil, err
	}
	shown.Money, shown.MoneyLimited = moneyRows(sums.Tallies), sums.Records == moneyRecords
	return shown, nil
}

// connectDeclarations reads the latest declarations and those that customs rejected.
func (a *Filings) connectDeclarations(c *page.Context, tx page.Tx, shown *connected, s filing.Selection, query string) error {
	s.Kind = customs.DeclarationKind
	latest, err := tx.Select(s)
	if err != nil {
		return err
	}
	shown.Declarations = connectedList{Title: "Declarations", More: len(latest) > connectedShown}
	if query != "" {
		shown.Declarations.AllPath = "/declarations?" + query
	}
	s.Statuses = []lifecycle.State{lifecycle.Rejected}
	rejected, err := tx.Select(s)
	if err != nil {
		return err
	}
	shown.Rejected = connectedList{Title: "Rejected by customs", More: len(rejected) > connectedShown}
	if query != "" {
		shown.Rejected.AllPath = "/declarations?status=REJECTED&" + query
	}
	latest, rejected = latest[:min(len(latest), connectedShown)], rejected[:min(len(rejected), connectedShown)]
	whole, err := wholeOf(tx, latest, rejected)
	if err != nil {
		return err
	}
	for i := range latest {
		d := declarationOf(&latest[i], whole[latest[i].ID], c.RecordPath(customs.DeclarationKind, latest[i].ID))
		shown.Declarations.Rows = append(shown.Declarations.Rows, d.connectedRow)
		shown.Documents = append(shown.Documents, d.documents...)
		if d.mrn != "" && s.ShipmentID != "" && len(shown.words) == 0 {
			shown.words = []string{d.mrn}
		}
	}
	shown.Documents = shown.Documents[:min(len(shown.Documents), documentsShown)]
	for i := range rejected {
		d := declarationOf(&rejected[i], whole[rejected[i].ID], c.RecordPath(customs.DeclarationKind, rejected[i].ID))
		shown.Rejected.Rows = append(shown.Rejected.Rows, d.connectedRow)
	}
	return nil
}

// connectKind reads the latest records of a kind that belong to a client.
func (a *Filings) connectKind(tx page.Tx, shown *connected, s filing.Selection, kind string) error {
	k := a.kindNamed(kind)
	if k == nil {
		return nil
	}
	s.Kind = kind
	found, err := tx.Select(s)
	if err != nil || len(found) == 0 {
		return err
	}
	list := connectedList{Title: upperFirst(k.Plural), More: len(found) > connectedShown, AllPath: k.Base}
	for i := range found[:min(len(found), connectedShown)] {
		f := &found[i]
		if f.Body == nil {
			f.Body = f.Brief
		}
		list.Rows = append(list.Rows, connectedRow{Path: k.Base + "/" + f.ID, Name: k.title(f), Status: f.Status, CreatedAt: f.CreatedAt})
	}
	shown.Others = append(shown.Others, list)
	return nil
}

// findNamed finds records of other Hubs that name a client's EORI, or a shipment's MRN or container. It has transactions of its
// own, so it must be called after that of connect has ended.
func (a *Filings) findNamed(c *page.Context, shown *connected) error {
	if shown == nil || len(shown.words) == 0 || a.FindRecords == nil {
		return nil
	}
	shown.NamedBy = shown.words[0]
	found, _, err := a.FindRecords(c.R.Context(), c.Session.Org, search.Query{Text: shown.NamedBy, Limit: 5 * connectedShown})
	if err != nil {
		return err
	}
	for i := range found {
		k := a.kindNamed(found[i].Kind)
		if k == nil || k.HubInfo.ID == "" || len(shown.Named) == connectedShown {
			continue
		}
		shown.Named = append(shown.Named, connectedRow{
			Path: k.Base + "/" + found[i].ID, Name: cmp.Or(found[i].Name(), found[i].Matched), Goods: upperFirst(k.Singular), Status: found[i].Status, CreatedAt: found[i].CreatedAt,
		})
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
	found, err := tx.FilingsByID(customs.DeclarationKind, ids, connectedBody)
	for i := range found {
		whole[found[i].ID] = &found[i]
	}
	return whole, err
}

// connectedDeclaration is a declaration as the page of its client or shipment shows it.
type connectedDeclaration struct {
	connectedRow
	mrn       string
	documents []connectedDocument
}

func declarationOf(f, whole *filing.Filing, path string) (d connectedDeclaration) {
	var added customs.DeclarationAdds
	var brief, body customs.Declaration
	_, _ = json.Unmarshal(f.Added, &added), json.Unmarshal(f.Brief, &brief) // written by the service
	d.connectedRow = connectedRow{Path: path, Name: cmp.Or(brief.Reference, added.LRN), Status: f.Status, CreatedAt: f.CreatedAt}
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
	d.Value = pounds(body.WithValues(added.Valuation).Value())
	for _, doc := range body.Documents {
		d.documents = append(d.documents, connectedDocument{doc.Type, doc.Reference, path + "#documents", d.Name})
	}
	for _, file := range added.Files {
		d.documents = append(d.documents, connectedDocument{file.DocumentType, file.FileName, path + "/file?part=" + file.ID, d.Name})
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
			month, _ := time.Parse("2006-01", t.Month) // written by the service
			rows, last = append(rows, moneyRow{Month: month.Format("January 2006")}), t.Month
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
