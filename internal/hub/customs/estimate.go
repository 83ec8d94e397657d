package customs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/calculator"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// Tariff computes the charges of goods by the measures in force on their day.
type Tariff interface {
	Estimate(tariff.Goods) tariff.Charge
}

// ChargeSource returns where charges are worked out from. A tariff that also has Editions, and rates with their table, supply
// every measure and exchange rate.
func ChargeSource(t Tariff, r Rates) *charge.Source {
	s := &charge.Source{}
	if t != nil {
		s.Table = t.Estimate
	}
	if e, ok := t.(interface{ Editions() duty.Editions }); ok {
		s.Editions = e.Editions
	}
	if l, ok := r.(interface{ Current() *rates.Table }); ok {
		s.Money = func(on measure.Day) *duty.Money { return calculator.MoneyOf(l.Current(), on) }
	}
	return s
}

// ChargeSource returns where the service works out charges from.
func (s *Service) ChargeSource() *charge.Source { return ChargeSource(s.Tariff, s.Rates) }

// estimated is the basis of totals that customs has not assessed.
const estimated = "estimated"

// Names of the totals, and of what says where they come from.
const (
	totalDuty  = "totalDutyGbp"
	totalVAT   = "totalVatGbp"
	totalOther = "totalOtherTaxGbp"
	dutyBasis  = "dutyBasis"
)

// totalMembers are the totals, and what says where they come from.
var totalMembers = []string{totalDuty, totalVAT, totalOther, dutyBasis}

// Estimate says how the estimated totals were worked out.
type Estimate struct {
	Complete      bool            `json:"complete" doc:"Whether nothing is missing from the estimated totals"`
	Date          string          `json:"date" format:"date" doc:"Day of the tariff and of the exchange rates, in London" example:"2026-11-26"`
	Edition       int64           `json:"edition" doc:"Edition of the tariff; 0 for the built-in table" example:"7"`
	RateTable     string          `json:"rateTable,omitempty" doc:"Table of exchange rates of the duty engine; absent for the built-in table" example:"3"`
	EngineVersion string          `json:"engineVersion" doc:"Version of the rules of the duty engine" example:"1"`
	PayableGBP    quantity.Money  `json:"payableGbp" doc:"What of the totals is payable now: without postponed VAT, and without what is suspended or secured" example:"222.00"`
	PostponedGBP  quantity.Money  `json:"postponedGbp" doc:"VAT that is accounted for on the VAT return" example:"414.40"`
	SuspendedGBP  quantity.Money  `json:"suspendedGbp" doc:"What special procedures suspend. The relief of authorised use is besides the totals" example:"0.00"`
	SecuredGBP    quantity.Money  `json:"securedGbp" doc:"What securities have to cover: suspended charges, charges with a securing method of payment (DE 4/8), and the duty that a critical quota may cost besides the totals" example:"0.00"`
	Missing       []MissingAmount `json:"missing" nullable:"false" doc:"What is missing"`
	Items         []EstimatedItem `json:"items" nullable:"false" doc:"The items whose measures the tariff holds, and those with suspended charges. The others bear the duty for all countries and VAT"`
}

// MissingAmount is something that is missing from an estimate, once for all items that lack it.
type MissingAmount struct {
	Code    string `json:"code" doc:"Code for programs, as of the duty engine" example:"KINDS_NOT_HELD"`
	Message string `json:"message" doc:"What is missing"`
	Item    int    `json:"item" doc:"Number of the first item that lacks it, from 1" example:"1"`
	Count   int    `json:"count" doc:"How many items lack it" example:"1"`
}

// EstimatedItem is the estimate of one item.
type EstimatedItem struct {
	Item           int               `json:"item" doc:"Number of the item, from 1" example:"1"`
	Option         string            `json:"option,omitempty" doc:"The duty that the item declares, in words" example:"Tariff preference: Bangladesh"`
	PreferenceCode string            `json:"preferenceCode,omitempty" doc:"Its preference code (DE 4/17)" example:"200"`
	Charges        []EstimatedCharge `json:"charges" nullable:"false" doc:"Duty, remedies, excise and VAT"`
}

// EstimatedCharge is one charge on an item.
type EstimatedCharge struct {
	TaxType string          `json:"taxType" doc:"Type of tax (DE 4/3)" example:"A00"`
	Amount  *quantity.Money `json:"amountGbp" nullable:"true" doc:"Amount, cut at the penny; null if it is not known" example:"222.00"`
	Rate    string          `json:"rate,omitempty" doc:"The duty as the tariff states it" example:"12.00 %"`
	Payable string          `json:"payable" enum:"PAID,SECURED,SUSPENDED,POSTPONED,NOT_DUE" doc:"How it is settled"`
	Secured *quantity.Money `json:"securityGbp,omitempty" doc:"What a security has to cover" example:"222.00"`
	Reason  string          `json:"reason,omitempty" doc:"Why it is suspended or secured"`
	Source  string          `json:"source,omitempty" doc:"Where HMRC says so"`
	SID     *int64          `json:"measureSid,omitempty" doc:"Number of the measure"`
}

// newEstimate returns an estimate by a tariff to which nothing is added yet.
func newEstimate(t *charge.Tariff) *Estimate {
	e := &Estimate{Date: t.Day.String(), Edition: t.Editions.ID, EngineVersion: duty.EngineVersion, Missing: []MissingAmount{}, Items: []EstimatedItem{}}
	if t.Money != nil {
		e.RateTable = t.Money.Table
	}
	return e
}

// mostMissing is the largest number of different things that are said to be missing.
const mostMissing = 20

// miss notes that an item lacks something.
func (e *Estimate) miss(code, message string, item int) {
	at := slices.IndexFunc(e.Missing, func(m MissingAmount) bool { return m.Code == code && m.Message == message })
	switch {
	case at >= 0:
		e.Missing[at].Count++
	case len(e.Missing) < mostMissing:
		e.Missing = append(e.Missing, MissingAmount{code, message, item, 1})
	}
}

// add adds the charges of an item.
func (e *Estimate) add(a *charge.Assessment, item int) {
	for _, m := range a.Missing {
		e.miss(m.Code, m.Message, item)
	}
	suspended := slices.ContainsFunc(a.Charges, func(c charge.Charge) bool { return c.Suspension != nil })
	if a.Option == nil && !suspended {
		return
	}
	shown := EstimatedItem{Item: item, Charges: make([]EstimatedCharge, len(a.Charges))}
	if o := a.Option; o != nil {
		shown.Option = o.Label
		if o.PreferenceCode != nil {
			shown.PreferenceCode = *o.PreferenceCode
		}
	}
	for i := range a.Charges {
		shown.Charges[i] = estimatedCharge(&a.Charges[i])
	}
	e.Items = append(e.Items, shown)
}

func estimatedCharge(c *charge.Charge) EstimatedCharge {
	shown := EstimatedCharge{TaxType: c.Type, Amount: c.Amount, Rate: c.Rate, Payable: c.Payable}
	if c.Line != nil {
		shown.SID = c.Line.SID
	}
	if c.Security.Sign() > 0 {
		shown.Secured = &c.Security
	}
	if c.Suspension != nil {
		shown.Reason, shown.Source = c.Suspension.Reason, c.Suspension.Source
	}
	return shown
}

// estimate returns the estimated charges by the tariff in force. Exports, and items without a known measure, count as zero. document
// makes what is declared; it is called only if the charges depend on it.
func estimate(s *charge.Source, r Rates, d *Declaration, now time.Time, document func() wco.Declaration) filing.Added {
	values := d.Values(r, now)
	priced := *d
	priced.Items = valued(d.Items, values)
	t := s.At(now)
	return addedBy(t, priced.Assess(t, now, document), values)
}

// addedBy returns the members of an estimate.
func addedBy(t *charge.Tariff, all []charge.Assessment, values []duty.Value) filing.Added {
	e, sums := newEstimate(t), charge.Sums{}
	for i := range all {
		sums.Add(&all[i])
		e.add(&all[i], i+1)
	}
	e.Complete = len(e.Missing) == 0
	e.PayableGBP, e.PostponedGBP, e.SuspendedGBP, e.SecuredGBP = sums.Due, sums.Postponed, sums.Suspended, sums.Secured
	members := filing.Added{
		totalDuty: sums.Duty, totalVAT: sums.VAT, totalOther: sums.Other, dutyBasis: estimated, filing.EstimateMember: e, filing.ValuationMember: nil,
	}
	if v := valuationOf(values); v != nil {
		members[filing.ValuationMember] = v
	}
	return members
}

// Assess works out the charges of each item, whose customs values are in place. document makes what is declared, with all that
// the service adds; it is called only if the charges depend on it. Items of an export have no charges.
func (d *Declaration) Assess(t *charge.Tariff, now time.Time, document func() wco.Declaration) []charge.Assessment {
	all := make([]charge.Assessment, len(d.Items))
	for i, g := range d.goodsOf(t, now, document) {
		all[i] = t.Assess(&g)
	}
	return all
}

// goodsOf returns what the items declare that charges depend on; nil for an export.
func (d *Declaration) goodsOf(t *charge.Tariff, now time.Time, document func() wco.Declaration) []charge.Goods {
	if d.DeclarationType != Import {
		return nil
	}
	var declared *wco.Declaration
	if t.Editions.ID > 0 || d.statesTaxes() {
		made := document()
		declared = &made
	}
	return d.allGoods(declared, now)
}

func (d *Declaration) allGoods(document *wco.Declaration, now time.Time) []charge.Goods {
	all := make([]charge.Goods, len(d.Items))
	for i := range d.Items {
		all[i] = d.goods(document, i, now)
	}
	return all
}

// DeclaredGoods returns what the items state by themselves that charges depend on; nil for an export.
func (d *Declaration) DeclaredGoods(now time.Time) []charge.Goods {
	if d.DeclarationType != Import {
		return nil
	}
	document := d.declared()
	return d.allGoods(&document, now)
}

// Goods returns what the items declare that charges depend on, by the document that would be sent; nil for an export.
func (p *ReviewInput) Goods(t *charge.Tariff) []charge.Goods {
	return p.Declaration.goodsOf(t, p.At, func() wco.Declaration {
		d := p.documentData()
		return d.document()
	})
}

// goods are what a document declares of the item at an index; without a document only its code, value and quantities.
func (d *Declaration) goods(document *wco.Declaration, i int, now time.Time) charge.Goods {
	simple := d.Items[i].Goods(now)
	if document == nil || i >= len(document.GoodsShipment.GovernmentAgencyGoodsItem) {
		g := charge.Goods{Simple: simple, Preference: charge.NoPreference, Postponed: d.postpones(), Procedure: requestedProcedure(&d.Items[i])}
		g.AdditionalProcedures = d.Items[i].AdditionalProcedureCodes
		return g
	}
	g := charge.GoodsOf(document, i, simple)
	if g.Simple.CommodityCode == "" {
		g.Simple.CommodityCode = check.CommodityCode(&document.GoodsShipment.GovernmentAgencyGoodsItem[i].Commodity)
	}
	g.NoValue = d.Items[i].CustomsValueGBP == nil
	return g
}

// declared returns what the declaration declares by itself.
func (d *Declaration) declared() wco.Declaration {
	document := datamodel.Encode(datamodel.Body{Direction: d.DeclarationType, Header: &d.Header, Items: d.Items})
	items := document.GoodsShipment.GovernmentAgencyGoodsItem
	for i := range items {
		for _, doc := range d.Documents {
			items[i].AdditionalDocument = append(items[i].AdditionalDocument, wco.AdditionalDocument{TypeCode: doc.Type, ID: doc.Reference, LPCOExemptionCode: doc.Status})
		}
	}
	return document
}

// statesTaxes reports whether an item states the amount of a tax.
func (d *Declaration) statesTaxes() bool {
	states := func(t datamodel.TaxLine) bool { return t.Assessed != nil || t.Payable != nil }
	return slices.ContainsFunc(d.Items, func(i Item) bool { return slices.ContainsFunc(i.TaxLines, states) })
}

// postpones reports whether the declaration itself says that VAT is accounted for later.
func (d *Declaration) postpones() bool {
	return slices.ContainsFunc(d.FiscalReferences, func(r datamodel.Role) bool { return r.Role == importerVAT })
}

// estimateAgain adds the estimate on the day of a submission, by the document that was sent: tariff and rates may have changed
// since the draft was stored, and the service has added to what it declares. The edition of the tariff is kept as long as the declaration.
func (s *Service) estimateAgain(tx Tx, step *filing.TransitionData, f *filing.Filing, sent Transmission) error {
	var d Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return fmt.Errorf("customs: declaration: %w", err)
	}
	document := func() wco.Declaration {
		read, err := wco.Decode([]byte(sent.Body))
		if err != nil {
			return d.declared()
		}
		return read
	}
	members := estimate(s.ChargeSource(), s.Rates, &d, sent.CreatedAt, document)
	maps.Copy(step.Added, members)
	if e, ok := members[filing.EstimateMember].(*Estimate); ok && e.Edition > 0 {
		return tx.UseTariff(filing.EstimateUse+f.ID, e.Edition)
	}
	return nil
}
