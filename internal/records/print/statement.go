package print

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// StatementTx reads a statement and its organisation.
type StatementTx interface {
	Filing(kind, id string) (filing.Filing, error)
	Organisation() (access.Organisation, error)
	Mode() tenant.Mode
}

// Statement is a VAT return or a CBAM report as it was read.
type Statement struct {
	service *Service
	file    string
	head    pdfwriter.Head
	write   func(*pdfwriter.Writer)
}

// statementHead are the facts at the top of statements.
type statementHead struct {
	title, name, file string
	facts             []pdfwriter.Fact
	write             func(*pdfwriter.Writer)
}

// statements read the kinds that can be printed.
var statements = map[string]func(*filing.Filing) (statementHead, error){tax.Kind: vatReturn, cbam.ReportKind: cbamReport}

// Of reports whether records of a kind can be printed.
func Of(kind string) bool { return kind == customs.DeclarationKind || statements[kind] != nil }

// Statement reads a VAT return or a CBAM report.
func (s *Service) Statement(tx StatementTx, kind, id string) (*Statement, error) {
	f, err := tx.Filing(kind, id)
	if err != nil {
		return nil, err
	}
	o, err := tx.Organisation()
	if err != nil {
		return nil, err
	}
	read, ok := statements[kind]
	if !ok {
		return nil, fmt.Errorf("print: a %s has no document", kind)
	}
	h, err := read(&f)
	if err != nil {
		return nil, fmt.Errorf("print: %s: %w", kind, err)
	}
	var added struct{ SubmittedAt string }
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return nil, fmt.Errorf("print: %s: %w", kind, err)
	}
	document := &Statement{service: s, file: h.file, write: h.write, head: pdfwriter.Head{
		Title: h.title, Name: h.name, Organisation: o.Name, Running: o.Name, Changed: f.UpdatedAt, Version: fmt.Sprintf("Version %d of %s", f.Version, moment(f.UpdatedAt)),
		Facts: append(facts("Organisation", o.Name, "Status", statementStatus(f.Status), "Submitted", instant(added.SubmittedAt), "Last changed", moment(f.UpdatedAt)), h.facts...),
	}}
	if tx.Mode() != tenant.Live {
		document.head.Mark = simulatedMark
	}
	return document, nil
}

// statementStatus returns the status of a statement in words.
func statementStatus(s lifecycle.State) string {
	switch s {
	case lifecycle.Draft:
		return "Draft, not submitted"
	case lifecycle.Accepted:
		return "Accepted"
	}
	return statusName(s)
}

// FileName returns the name of the document's file.
func (d *Statement) FileName() string { return d.file + ".pdf" }

// Write writes the document. It waits while too many others are written.
func (d *Statement) Write(ctx context.Context, out io.Writer) error {
	return d.service.writeDocument(ctx, out, d.head, d.write)
}

// vatReturn reads a VAT return, with the boxes in the words of HMRC's form VAT 100.
func vatReturn(f *filing.Filing) (h statementHead, err error) {
	var r tax.Return
	var added tax.Adds
	if err := json.Unmarshal(f.Body, &r); err != nil {
		return h, err
	}
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return h, err
	}
	net := map[tax.Position]string{tax.Payable: "to pay to HMRC", tax.Repayable: "to reclaim from HMRC"}[r.NetVATPosition]
	boxes := [][]string{
		{"1", "VAT due in this period on sales and other outputs", pounds(r.Box1VATDueSales)},
		{"2", "VAT due in this period on acquisitions of goods made in Northern Ireland from EU member states", pounds(r.Box2VATDueAcquisitions)},
		{"3", "Total VAT due (the sum of boxes 1 and 2)", pounds(r.Box3TotalVATDue)},
		{"4", "VAT reclaimed in this period on purchases and other inputs (including acquisitions in Northern Ireland from EU member states)", pounds(r.Box4VATReclaimed)},
		{"5", "Net VAT to pay to HMRC or reclaim (the difference between boxes 3 and 4)", pounds(r.Box5NetVAT)},
		{"6", "Total value of sales and all other outputs excluding any VAT", pounds(r.Box6TotalSales)},
		{"7", "Total value of purchases and all other inputs excluding any VAT", pounds(r.Box7TotalPurchases)},
		{"8", "Total value of dispatches of goods and related costs (excluding VAT) from Northern Ireland to EU member states", pounds(r.Box8TotalSuppliesEU)},
		{"9", "Total value of acquisitions of goods and related costs (excluding VAT) made in Northern Ireland from EU member states", pounds(r.Box9TotalAcquisitionsEU)},
	}
	return statementHead{
		title: "VAT return", name: r.PeriodKey, file: "vat-return-" + r.PeriodKey,
		facts: facts("VAT number", r.VATNumber, "Period", r.PeriodKey, "HMRC’s reference", added.HMRCReference, "Own reference", r.Reference),
		write: func(w *pdfwriter.Writer) {
			w.Heading("The nine boxes")
			w.Table([]pdfwriter.Column{{Title: "Box", Share: 1}, {Title: "What it says", Share: 9}, {Title: "Amount", Share: 3, Right: true}}, each(boxes))
			if net != "" {
				w.Paragraph("Box 5 is " + net + ".")
			}
			w.Heading("Where box 4 comes from")
			w.Columns(facts("Import VAT", pounds(r.Box4ImportVAT), "Reclaimed in addition", pounds(r.Box4AdditionalReclaim)), facts("Import declarations", fmt.Sprint(r.ImportDeclarations)))
		},
	}, nil
}

// cbamReport reads a CBAM report.
func cbamReport(f *filing.Filing) (h statementHead, err error) {
	var r cbam.Report
	var added cbam.ReportAdds
	if err := json.Unmarshal(f.Body, &r); err != nil {
		return h, err
	}
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return h, err
	}
	return statementHead{
		title: "CBAM report", name: r.Quarter, file: "cbam-report-" + r.Quarter,
		facts: facts("Quarter", r.Quarter, "Imports as of", instant(r.SnapshotAt), "Reference", added.Reference, "Own reference", r.OwnReference),
		write: func(w *pdfwriter.Writer) {
			w.Heading("Totals")
			w.Columns(
				facts("Imports", fmt.Sprint(r.TotalImportsCount), "Net mass", kilograms(r.TotalNetMassKg), "Embedded emissions", kilograms(r.TotalEmissionsKg)+" CO2e"),
				facts("Customs value", "£"+grouped(r.TotalCustomsValueGBP.Fixed(quantity.MoneyPlaces)), "Price of a tonne", pounds(r.CertificatePriceGBP), "Cost of certificates", "£"+grouped(r.TotalCertCostGBP.Fixed(quantity.MoneyPlaces))))
			w.Note("The price is set by the operator of this service. Free allocation and carbon prices paid abroad are not deducted.")
			writeShares(w, "By sector", r.ByCategory)
			writeShares(w, "By country of origin", r.ByCountry)
			writeShares(w, "By source of the emissions figures", r.BySource)
			writeShares(w, "By basis of the emissions figures", r.ByBasis)
		},
	}, nil
}

func kilograms(t quantity.Total) string { return grouped(t.String()) + " kg" }

// shareColumns are the columns of a part of a CBAM report.
var shareColumns = []pdfwriter.Column{
	{Title: "Of", Share: 5}, {Title: "Imports", Share: 1.5, Right: true}, {Title: "Net mass, kg", Share: 2.5, Right: true}, {Title: "Emissions, kg CO2e", Share: 2.5, Right: true},
	{Title: "Customs value, £", Share: 2.5, Right: true},
}

// writeShares writes how a report is divided.
func writeShares(w *pdfwriter.Writer, title string, shares []cbam.Share) {
	if len(shares) == 0 {
		return
	}
	w.Heading(title)
	w.Table(shareColumns, func(yield func([]string) bool) {
		for _, s := range shares {
			name := cbam.TextOf(s.Of)
			if name == "" {
				name = ident.Country(s.Of).NameAndCode()
			}
			if !yield([]string{name, fmt.Sprint(s.ImportsCount), grouped(s.NetMassKg.String()), grouped(s.EmissionsKg.String()), grouped(s.CustomsValueGBP.Fixed(quantity.MoneyPlaces))}) {
				return
			}
		}
	})
}
