package tax

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- required by the definition of IRmark, which detects accidents and not forgery
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// XML namespaces of the schema VATDeclarationRequest v2.1 and of the GovTalk envelope.
const (
	declarationSpace = "http://www.govtalk.gov.uk/taxation/vat/vatdeclaration/2"
	envelopeSpace    = "http://www.govtalk.gov.uk/CM/envelope"
	periodID         = "2006-01"
	isoDay           = "2006-01-02"
)

// Export writes the return as the body of a VATDeclarationRequest, an IRenvelope, for archives and other programs: HMRC accepts
// returns only by its API now.
//
// The document is in canonical form (Canonical XML 1.0) without white space between elements. Its IRmark is the digest of a
// GovTalk body that contains only this document, so it stays valid if the document is inserted unchanged. An invalid VAT
// number is written as it is; without one the key is empty.
func Export(w io.Writer, r Return) error {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil {
		return err
	}
	envelope := func(mark string) string {
		return `<IRenvelope xmlns="` + declarationSpace + `">` + r.header(p, mark) + r.declaration() + `</IRenvelope>`
	}
	digest := sha1.Sum([]byte(`<Body xmlns="` + envelopeSpace + `">` + envelope("") + `</Body>`)) // #nosec G401 -- required by the definition of IRmark
	mark := `<IRmark Type="generic">` + base64.StdEncoding.EncodeToString(digest[:]) + `</IRmark>`
	if _, err := io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+envelope(mark)+"\n"); err != nil {
		return fmt.Errorf("tax: writing the export: %w", err)
	}
	return nil
}

func (r *Return) header(p Period, mark string) string {
	number := r.VATNumber
	if parsed, err := ident.ParseVRN(number); err == nil {
		number = string(parsed)
	}
	end := p.End.In(calendar.London())
	return `<IRheader><Keys><Key Type="VATRegNo">` + escaped(number) + `</Key></Keys>` +
		element("PeriodID", end.Format(periodID)) +
		element("PeriodStart", p.First()) +
		element("PeriodEnd", p.Last()) +
		element("DefaultCurrency", "GBP") + mark + element("Sender", "Company") + `</IRheader>`
}

func (r *Return) declaration() string {
	return `<VATDeclarationRequest finalReturn="no">` +
		element("VATDueOnOutputs", r.Box1VATDueSales.Fixed()) +
		element("VATDueOnECAcquisitions", r.Box2VATDueAcquisitions.Fixed()) +
		element("TotalVAT", r.Box3TotalVATDue.Fixed()) +
		element("VATReclaimedOnInputs", r.Box4VATReclaimed.Fixed()) +
		element("NetVAT", r.Box5NetVAT.Fixed()) +
		element("NetSalesAndOutputs", integer(r.Box6TotalSales)) +
		element("NetPurchasesAndInputs", integer(r.Box7TotalPurchases)) +
		element("NetECSupplies", integer(r.Box8TotalSuppliesEU)) +
		element("NetECAcquisitions", integer(r.Box9TotalAcquisitionsEU)) + `</VATDeclarationRequest>`
}

// element returns an element whose text needs no escaping.
func element(name, text string) string { return "<" + name + ">" + text + "</" + name + ">" }

func integer(m quantity.Money) string { return strings.TrimSuffix(m.Fixed(), ".00") }

// escaped returns text in canonical form. Characters that XML does not allow become U+FFFD.
func escaped(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer does not fail
	return canonical.Replace(out.String())
}

// canonical reverses escapes that Canonical XML does not use, and normalises white space.
var canonical = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#x9;", " ", "&#xA;", " ", "&#xD;", " ")
