// Package importline states the items of import declarations, and the products of the catalogue, as lines of a calculation of
// duties.
package importline

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Line is one line of goods with what a calculation states for all its lines.
type Line struct {
	duty.RequestLine
	Date            string // of acceptance, or else of creation; empty for a product
	Destination     string // empty for a product
	NorthernIreland *duty.NorthernIreland
	Units           *duty.Decimal // in the supplementary unit of the code
}

// Statements (DE 2/2) of goods that arrive in Northern Ireland. HMRC's list of November 2026.
const (
	fromBritain   = "NIDOM"
	fromElsewhere = "NIIMP"
	notAtRisk     = "NIREM"
)

// anyCountry stands for a country that is not known, but is not the destination.
const anyCountry = "QQ"

// proofs are how the codes of documents begin that prove a preferential origin. HMRC's Appendix 5A of November 2026.
var proofs = []string{"U0", "U1", "N864", "N865", "N954", "N018", "N861", "N862", "C100"}

// OfDeclaration returns the items of an import declaration with their customs values; none of an export. What it does not declare
// counts as not held.
func OfDeclaration(f *filing.Filing) ([]Line, error) {
	var d customs.Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return nil, fmt.Errorf("importline: declaration %s: %w", f.ID, err)
	}
	if d.DeclarationType != customs.Import {
		return nil, nil
	}
	var added customs.DeclarationAdds
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return nil, fmt.Errorf("importline: declaration %s: %w", f.ID, err)
	}
	day := dayOf(f.CreatedAt)
	if at, err := time.Parse(time.RFC3339, added.AcceptedAt); err == nil {
		day = dayOf(at)
	}
	d = *d.WithValues(added.Valuation)
	lines := make([]Line, len(d.Items))
	for i := range d.Items {
		lines[i] = itemLine(&d, &d.Items[i])
		lines[i].Ref, lines[i].Date = fmt.Sprintf("%s/%d", added.LRN, i+1), day
	}
	return lines, nil
}

func dayOf(at time.Time) string { return measure.DayOf(at.In(calendar.London())).String() }

func itemLine(d *customs.Declaration, i *customs.Item) (l Line) {
	value := duty.Decimal{Rat: i.Value().Rat()}
	l.CommodityCode, l.Origin, l.PreferentialOrigin = i.CommodityCode, i.CountryOfOrigin, i.PreferentialOrigin
	l.Price, l.CustomsValue = duty.Price{Amount: value, Currency: duty.Sterling}, &value
	if i.NetMassKg != nil {
		l.NetMass = &duty.Decimal{Rat: i.NetMassKg.Rat()}
	}
	if units := i.Units(); units != nil {
		l.Units = &duty.Decimal{Rat: units.Rat()}
	}
	l.Destination = duty.GreatBritain
	states := func(code string) bool {
		named := func(s datamodel.Statement) bool { return s.Code == code }
		return slices.ContainsFunc(d.AdditionalInformation, named) || slices.ContainsFunc(i.AdditionalInformation, named)
	}
	if states(fromBritain) || states(fromElsewhere) {
		stay := states(notAtRisk)
		l.Destination, l.NorthernIreland = duty.ToNI, &duty.NorthernIreland{UKIMS: &stay, FinalUseInUK: &stay}
		if stay {
			l.NorthernIreland.Processing = duty.NoProcessing
		}
	}
	l.DispatchCountry = dispatch(d, i, states(fromBritain), l.Destination)
	if l.Origin == "" && l.DispatchCountry != anyCountry {
		l.Origin = l.DispatchCountry
	}
	addCodes(&l, i)
	l.Facts = itemFacts(d, i)
	return l
}

// dispatch is the country that the goods come from. Goods that are declared to come from their destination, such as those from a
// warehouse, come from elsewhere.
func dispatch(d *customs.Declaration, i *customs.Item, britain bool, destination string) string {
	from := i.DispatchCountry
	if from == "" {
		from = d.DispatchCountry
	}
	if from == "" {
		from = i.CountryOfOrigin
	}
	from = strings.ToUpper(from)
	switch {
	case britain:
		return duty.GreatBritain
	case from == "" || duty.Route(from, destination) == "":
		return anyCountry
	}
	return from
}

// addCodes sorts the additional codes of an item by what they choose.
func addCodes(l *Line, i *customs.Item) {
	for _, code := range i.TARICAdditionalCodes {
		if len(code) == len("7000") && strings.HasPrefix(code, "7") {
			l.MeursingCode = code
		} else {
			l.AdditionalCodes = append(l.AdditionalCodes, code)
		}
	}
	for _, code := range i.NationalAdditionalCodes {
		switch {
		case strings.HasPrefix(code, "X"):
			l.ExciseCode = code
		case strings.HasPrefix(code, "VAT"):
			l.VATChoice = code
		}
	}
}

func itemFacts(d *customs.Declaration, i *customs.Item) duty.Facts {
	f := duty.Facts{OtherDocuments: duty.AnswerNone, ProofOfOrigin: duty.AnswerNone}
	add := func(code, reference, status string) {
		f.Documents = append(f.Documents, duty.Document{Code: code, Reference: reference, Status: status})
		if slices.ContainsFunc(proofs, func(p string) bool { return strings.HasPrefix(code, p) }) {
			f.ProofOfOrigin = duty.AnswerHeld
		}
	}
	for _, doc := range i.Documents {
		add(doc.Category+doc.Type, doc.Reference, doc.Status)
	}
	for _, doc := range d.Documents {
		add(doc.Type, doc.Reference, doc.Status)
	}
	if i.QuotaOrderNumber != "" {
		f.QuotaOrderNumbers = []string{i.QuotaOrderNumber}
	}
	return f
}

// productValue is the customs value of each product in pounds, so that differences of rates can be compared.
const productValue = 1000

// OfProduct returns a product of the catalogue as a line; none if it has no code or no origin, or is archived.
func OfProduct(f *filing.Filing) ([]Line, error) {
	if f.Status == lifecycle.Archived {
		return nil, nil
	}
	var l Line
	p, err := product.Supply(f, &l.RequestLine)
	if err != nil || l.CommodityCode == "" || l.Origin == "" {
		return nil, err
	}
	value := duty.Decimal{Rat: big.NewRat(productValue, 1)}
	l.Ref, l.Price, l.CustomsValue = p.Code, duty.Price{Amount: value, Currency: duty.Sterling}, &value
	return []Line{l}, nil
}
