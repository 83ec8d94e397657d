package tax

import (
	"bytes"
	"crypto/sha1" // #nosec G505 -- what the mark is defined with; it guards against accidents, not against forgery
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// The names of the schema VATDeclarationRequest v2.1 and of the GovTalk envelope
// around it.
const (
	declarationSpace = "http://www.govtalk.gov.uk/taxation/vat/vatdeclaration/2"
	envelopeSpace    = "http://www.govtalk.gov.uk/CM/envelope"
	periodID         = "2006-01"
	isoDay           = "2006-01-02"
)

// Export writes the return as the body of a VATDeclarationRequest, an IRenvelope. It
// is for archives and for other programs: HMRC takes returns by its API alone now.
//
// The document is written in its canonical form (Canonical XML 1.0) without white
// space between elements, so that the IRmark, the digest of a GovTalk body that has
// it and nothing else, fits when it is put into one as it is. A VAT registration
// number that is none is written as it stands; without one the key is empty.
func Export(w io.Writer, r Return) error {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil {
		return err
	}
	envelope := func(mark string) string {
		return `<IRenvelope xmlns="` + declarationSpace + `">` + r.header(p, mark) + r.declaration() + `</IRenvelope>`
	}
	digest := sha1.Sum([]byte(`<Body xmlns="` + envelopeSpace + `">` + envelope("") + `</Body>`)) // #nosec G401 -- the mark is defined with it
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

// element is an element of a text that needs no escaping.
func element(name, text string) string { return "<" + name + ">" + text + "</" + name + ">" }

func integer(m quantity.Money) string { return strings.TrimSuffix(m.Fixed(), ".00") }

// escaped is a text in canonical form. What XML cannot hold becomes U+FFFD.
func escaped(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer takes everything
	return canonical.Replace(out.String())
}

// canonical undoes what the encoder escapes and Canonical XML does not, and leaves
// out white space that a reader would not tell apart.
var canonical = strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&#x9;", " ", "&#xA;", " ", "&#xD;", " ")
