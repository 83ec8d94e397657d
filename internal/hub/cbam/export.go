package cbam

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Document is the content of a report's XML besides the imports.
type Document struct {
	Declarant   Declarant
	Report      *Report
	Reference   string    // "" for a draft
	SubmittedAt time.Time // zero for a draft
}

// Declarant is the person or company that reports. Empty fields become "not given".
type Declarant struct {
	EORI, Name                                          string
	AddressLine1, AddressLine2, City, Postcode, Country string
	Signatory, Position                                 string // person responsible for the report
}

// maxGoods is the maximum number of lines in the XML.
const maxGoods = 99_999

// ErrTooManyGoods means that there are more different goods than the XML can list.
var ErrTooManyGoods = errors.New("cbam: more goods than the report's XML can list")

// Export writes a report as a QReport of the EU transitional registry (schema version 23.00): one line for each import or,
// if there are more than the schema allows, for each combination of code, country and source. A report without imports has
// one line that says so. Export holds one import at a time.
func Export(w io.Writer, d Document, entries Entries) error {
	x := newXML(w)
	x.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<QReport xmlns="http://xmlns.ec.eu/BusinessObjects/CBAM/Types/V1">` + "\n")
	if err := x.head(d); err != nil {
		return err
	}
	lines := linesOf(entries)
	if d.Report.TotalImportsCount > maxGoods {
		lines = condensed(entries)
	}
	written := 0
	for l, err := range lines {
		if err != nil {
			return err
		}
		if written++; written > maxGoods {
			return ErrTooManyGoods
		}
		x.good(written, &l)
		if x.err != nil {
			return x.err
		}
	}
	if written == 0 {
		x.nothing()
	}
	x.raw("</QReport>\n")
	return x.flush()
}

// Maximum lengths of texts in the schema.
const (
	idLength      = 17
	refLength     = 22
	nameLength    = 70
	cityLength    = 35
	postLength    = 17
	signedLength  = 128
	remarkLength  = 512
	countryLength = 2
)

func (x *xmlWriter) head(d Document) error {
	q, ok := calendar.ParseQuarter(d.Report.Quarter)
	if !ok {
		return fmt.Errorf("cbam: the report has an invalid quarter: %q", d.Report.Quarter)
	}
	submitted := !d.SubmittedAt.IsZero()
	if submitted {
		x.plain("SubmissionDate", d.SubmittedAt.UTC().Format("2006-01-02T15:04:05Z"))
	}
	x.optional("ReportId", d.Reference, refLength)
	x.plain("ReportingPeriod", fmt.Sprintf("Q%d", q.Number))
	x.plain("Year", fmt.Sprintf("%04d", q.Year))
	x.declarant(d.Declarant)
	x.open("Signatures")
	x.open("ReportConfirmation")
	x.plain("GlobalDataConfirmation", fmt.Sprint(submitted))
	x.plain("UseOfDataConfirmation", fmt.Sprint(submitted))
	x.text("SignaturePlace", d.Declarant.City, nameLength)
	x.text("Signature", d.Declarant.Signatory, signedLength)
	x.text("PositionOfPersonSending", d.Declarant.Position, signedLength)
	x.close("ReportConfirmation")
	x.close("Signatures")
	x.remarks("Remarks", d.summary())
	return nil
}

func (x *xmlWriter) declarant(d Declarant) {
	const importer = "01"
	x.open("Declarant")
	x.text("IdentificationNumber", d.EORI, idLength)
	x.text("Name", d.Name, nameLength)
	x.plain("Role", importer)
	x.open("ActorAddress")
	if isCountry(d.Country) {
		x.plain("Country", d.Country)
	}
	x.text("City", d.City, cityLength)
	x.optional("Street", d.AddressLine1, nameLength)
	x.optional("StreetAdditionalLine", d.AddressLine2, nameLength)
	x.optional("Postcode", d.Postcode, postLength)
	x.close("ActorAddress")
	x.close("Declarant")
}

// summary returns data that has no element in the schema, as text.
func (d Document) summary() string {
	r := d.Report
	state := "Draft, not submitted. "
	if !d.SubmittedAt.IsZero() {
		state = ""
	}
	return fmt.Sprintf("%s%d imports as at %s: %s kg, %s kg CO2e; certificates would cost GBP %s at GBP %s per tonne, without free allocation and carbon prices paid abroad.",
		state, r.TotalImportsCount, r.SnapshotAt, r.TotalNetMassKg, r.TotalEmissionsKg, r.TotalCertCostGBP.Fixed(quantity.MoneyPlaces), r.CertificatePriceGBP.Fixed())
}
