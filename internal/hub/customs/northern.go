package customs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// northernPorts are the seaports and airports of Northern Ireland (UN/LOCODE, November 2026).
var northernPorts = []string{"GBBEL", "GBBFS", "GBBHD", "GBLAR", "GBLDY", "GBWPT"}

// northernStatements are the statements (DE 2/2) of movements to or from Northern Ireland, of HMRC's list of November 2026.
var northernStatements = []string{"NIAID", "NIDOM", "NIEXP", "NIIMP", "NIQUO", "NIREM"}

// isNorthern reports whether the port, the location of the goods, or a statement says that the goods move to or from Northern
// Ireland.
func (d *documentData) isNorthern() bool { return isNorthern(&d.declaration, &d.shipment) }

func isNorthern(d *Declaration, s *Shipment) bool {
	if slices.Contains(northernPorts, trimmedUpper(s.PortOfEntry)) {
		return true
	}
	if slices.ContainsFunc([]*datamodel.Location{d.Location, s.Location}, isNorthernLocation) {
		return true
	}
	const qualifierEnd = 4 // of a code such as GBAUBELBELBEL: country, type and qualifier
	if code := trimmedUpper(s.GoodsLocation); d.Location == nil && s.Location == nil && len(code) > qualifierEnd && isNorthernPlace(code[:2], code[qualifierEnd:]) {
		return true
	}
	northern := func(s datamodel.Statement) bool { return slices.Contains(northernStatements, s.Code) }
	return slices.ContainsFunc(d.AdditionalInformation, northern) ||
		slices.ContainsFunc(d.Items, func(i Item) bool { return slices.ContainsFunc(i.AdditionalInformation, northern) })
}

func isNorthernLocation(l *datamodel.Location) bool {
	return l != nil && isNorthernPlace(strings.ToUpper(l.Country), trimmedUpper(l.Name))
}

// isNorthernPlace reports whether the code of a location of goods (DE 5/23) begins with a place in Northern Ireland.
func isNorthernPlace(country, name string) bool {
	const letters = 3 // of a UN/LOCODE after the country
	return country == "XI" || len(name) >= letters && slices.Contains(northernPorts, country+name[:letters])
}

// NorthernEORIs returns the EORI numbers for Northern Ireland that are declared instead of the usual ones, because the goods move to or
// from there.
func (p *ReviewInput) NorthernEORIs() (all []string) {
	if !isNorthern(&p.Declaration, &p.Shipment) {
		return nil
	}
	for _, eori := range []string{p.Client.XIEORI, p.Trader.XIEORI} {
		if eori != "" && !slices.Contains(all, eori) {
			all = append(all, eori)
		}
	}
	return all
}

// Document and statement of goods that are not at risk of moving on from Northern Ireland to the EU (DE 2/3, 2/2). Source: HMRC's
// samples of November 2026, where the document has the status AC.
const (
	ukimsDocument  = "1UKI"
	notAtRisk      = "NIREM"
	attachedStatus = "AC"
)

// addUKIMS adds the authorisation under the UK Internal Market Scheme to goods that are declared as not at risk, and that statement to
// the goods of data set H8, which says so by itself.
func (f *filler) addUKIMS() {
	number, from := f.ukims()
	if number == "" {
		return
	}
	for n := range f.items {
		i := &f.items[n]
		if f.set == dataset.H8 {
			f.addStatement(n, notAtRisk, "", from)
		}
		listed := slices.ContainsFunc(i.Documents, func(d datamodel.ItemDocument) bool { return d.Category+d.Type == ukimsDocument })
		if statementOf(i, notAtRisk) == nil || listed || !f.can(f.at(n, "documents"), "2/3") {
			continue
		}
		d := datamodel.ItemDocument{Type: ukimsDocument, Reference: number, Status: attachedStatus}
		f.note(f.at(n, "documents["+decimal(len(i.Documents))+"]"), d, from)
		i.Documents = append(slices.Clip(i.Documents), d)
	}
}

// ukims returns the authorisation of the client or, without one, of the organisation.
func (f *filler) ukims() (number, from string) {
	for _, o := range f.terms() {
		if o.UKIMS != "" {
			return o.UKIMS, o.from
		}
	}
	return "", ""
}
