package print

import (
	"context"
	"encoding/json"
	"errors"
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
	vat     *tax.Return  // nil for a report
	report  *cbam.Report // nil for a return
}

// Of reports whether records of a kind can be printed.
func Of(kind string) bool {
	return kind == customs.DeclarationKind || kind == tax.Kind || kind == cbam.ReportKind
}

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
	var added struct{ SubmittedAt string }
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return nil, fmt.Errorf("print: %s: %w", kind, err)
	}
	d := &Statement{service: s, head: pdfwriter.Head{
		Organisation: o.Name, Running: o.Name, Changed: f.UpdatedAt, Version: fmt.Sprintf("Version %d of %s", f.Version, moment(f.UpdatedAt)),
		Facts: facts("Organisation", o.Name, "Status", statementStatus(f.Status), "Submitted", instant(added.SubmittedAt), "Last changed", moment(f.UpdatedAt)),
	}}
	if tx.Mode() != tenant.Live || filing.SourceOf(kind, f.Added) != filing.OfAuthority {
		d.head.Mark = simulatedMark
	}
	read := d.readReport
	if kind == tax.Kind {
		read = d.readReturn
	}
	if err := read(&f); err != nil {
		return nil, fmt.Errorf("print: %s: %w", kind, err)
	}
	return d, nil
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
	write := d.writeReport
	if d.vat != nil {
		write = d.writeReturn
	}
	return d.service.writeDocument(ctx, out, d.head, write)
}

func (d *Statement) readReturn(f *filing.Filing) error {
	d.vat = &tax.Return{}
	var added tax.Adds
	if err := errors.Join(json.Unmarshal(f.Body, d.vat), json.Unmarshal(f.Added, &added)); err != nil {
		return err
	}
	d.head.Title, d.head.Name, d.file = "VAT return", d.vat.PeriodKey, "vat-return-"+d.vat.PeriodKey
	d.head.Facts = append(d.head.Facts, facts("VAT number", d.vat.VATNumber, "Period", d.vat.PeriodKey, "HMRC’s reference", added.HMRCReference, "Own reference", d.vat.Reference)...)
	return nil
}

// writeReturn writes the boxes in the words of HMRC's form VAT 100.
func (d *Statement) writeReturn(w *pdfwriter.Writer) {
	r := d.vat
	w.Heading("The nine boxes")
	w.Table([]pdfwriter.Column{{Title: "Box", Share: 1}, {Title: "Meaning", Share: 9}, {Title: "Amount", Share: 3, Right: true}}, each([][]string{
		{"1", "VAT due in this period on sales and other outputs", pounds(r.Box1VATDueSales)},
		{"2", "VAT due in this period on acquisitions of goods made in Northern Ireland from EU member states", pounds(r.Box2VATDueAcquisitions)},
		{"3", "Total VAT due (the sum of boxes 1 and 2)", pounds(r.Box3TotalVATDue)},
		{"4", "VAT reclaimed in this period on purchases and other inputs (including acquisitions in Northern Ireland from EU member states)", pounds(r.Box4VATReclaimed)},
		{"5", "Net VAT to pay to HMRC or reclaim (the difference between boxes 3 and 4)", pounds(r.Box5NetVAT)},
		{"6", "Total value of sales and all other outputs excluding any VAT", pounds(r.Box6TotalSales)},
		{"7", "Total value of purchases and all other inputs excluding any VAT", pounds(r.Box7TotalPurchases)},
		{"8", "Total value of dispatches of goods and related costs (excluding VAT) from Northern Ireland to EU member states", pounds(r.Box8TotalSuppliesEU)},
		{"9", "Total value of acquisitions of goods and related costs (excluding VAT) made in Northern Ireland from EU member states", pounds(r.Box9TotalAcquisitionsEU)},
	}))
	switch r.NetVATPosition {
	case tax.Payable:
		w.Paragraph("Box 5 is to pay to HMRC.")
	case tax.Repayable:
		w.Paragraph("Box 5 is to reclaim from HMRC.")
	}
	w.Heading("Where box 4 comes from")
	w.Columns(facts("Import VAT", pounds(r.Box4ImportVAT), "Reclaimed in addition", pounds(r.Box4AdditionalReclaim)), facts("Import declarations", fmt.Sprint(r.ImportDeclarations)))
}

func (d *Statement) readReport(f *filing.Filing) error {
	d.report = &cbam.Report{}
	var added cbam.ReportAdds
	if err := errors.Join(json.Unmarshal(f.Body, d.report), json.Unmarshal(f.Added, &added)); err != nil {
		return err
	}
	d.head.Title, d.head.Name, d.file = "CBAM report", d.report.Quarter, "cbam-report-"+d.report.Quarter
	d.head.Facts = append(d.head.Facts, facts("Quarter", d.report.Quarter, "Imports as of", instant(d.report.SnapshotAt), "Reference", added.Reference, "Own reference", d.report.OwnReference)...)
	return nil
}

// writeReport writes the totals of a CBAM report, and how they are divided.
func (d *Statement) writeReport(w *pdfwriter.Writer) {
	r := d.report
	w.Heading("Totals")
	w.Columns(
		facts("Imports", fmt.Sprint(r.TotalImportsCount), "Net mass", kilograms(r.TotalNetMassKg), "Embedded emissions", kilograms(r.TotalEmissionsKg)+" CO2e"),
		facts("Customs value", "£"+quantity.Grouped(r.TotalCustomsValueGBP.Fixed(quantity.MoneyPlaces)), "Price of a tonne", pounds(r.CertificatePriceGBP), "Cost of certificates", "£"+quantity.Grouped(r.TotalCertCostGBP.Fixed(quantity.MoneyPlaces))))
	w.Note("The price is set by the operator of this service. Free allocation and carbon prices paid abroad are not deducted.")
	writeShares(w, "By sector", r.ByCategory)
	writeShares(w, "By country of origin", r.ByCountry)
	writeShares(w, "By source of the emissions figures", r.BySource)
	writeShares(w, "By basis of the emissions figures", r.ByBasis)
}

func kilograms(t quantity.Total) string { return quantity.Grouped(t.String()) + " kg" }

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
			if !yield([]string{name, fmt.Sprint(s.ImportsCount), quantity.Grouped(s.NetMassKg.String()), quantity.Grouped(s.EmissionsKg.String()), quantity.Grouped(s.CustomsValueGBP.Fixed(quantity.MoneyPlaces))}) {
				return
			}
		}
	})
}
