package origin

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// QuestionBody is the question in the form of the API.
type QuestionBody struct {
	Date          string           `json:"date,omitempty" format:"date" doc:"Day of importation; today if absent" example:"2026-11-26"`
	CommodityCode string           `json:"commodityCode" pattern:"^[0-9]{6,10}$" doc:"Commodity code of the product, 6 to 10 digits. It need not be in the tariff" example:"8517620000"`
	Description   string           `json:"description,omitempty" maxLength:"1000" doc:"Description of the product. Where an agreement has several rules for a code, the text of the subdivision chooses one" example:"Wireless routers"`
	ExportCountry string           `json:"exportCountry" pattern:"^[A-Z]{2}$" doc:"Country that exports the product (ISO 3166-1 alpha-2, XK for Kosovo)" example:"CA"`
	Destination   string           `json:"destination" enum:"GB,NI" doc:"Where the goods go. For NI the schemes of the European Union apply" example:"GB"`
	Schemes       []string         `json:"schemes,omitempty" maxItems:"100" nullable:"false" pattern:"^[a-z0-9_-]{2,40}$" doc:"Codes of the schemes to try; all that name the country and are in force if absent" example:"[\"canada\"]"`
	ExWorksPrice  *AmountBody      `json:"exWorksPrice,omitempty" doc:"Price of the product at the factory" example:"{\"amount\":100.00,\"currency\":\"GBP\"}"`
	FOBPrice      *AmountBody      `json:"fobPrice,omitempty" doc:"Price of the product free on board" example:"{\"amount\":104.00,\"currency\":\"GBP\"}"`
	NetMassKg     *quantity.Mass   `json:"netMassKg,omitempty" minimum:"0" doc:"Mass of the product without packaging, in kilograms" example:"1.2"`
	Materials     []MaterialBody   `json:"materials,omitempty" maxItems:"100" nullable:"false" doc:"Bill of materials, complete" example:"[{\"ref\":\"1\",\"commodityCode\":\"853400\",\"origin\":\"CN\",\"value\":{\"amount\":20.00,\"currency\":\"GBP\"}}]"`
	Production    *ProductionBody  `json:"production,omitempty" doc:"How the product was made" example:"{\"country\":\"CA\",\"onlyMinimalOperations\":false}"`
	Transport     *TransportBody   `json:"transport,omitempty" doc:"How it is transported" example:"{\"direct\":true,\"alteredInTransit\":false}"`
	Consignment   *ConsignmentBody `json:"consignment,omitempty" doc:"Facts about the consignment" example:"{\"valueGbp\":5000.00,\"drawbackClaimed\":false}"`
}

// AmountBody is money in a currency.
type AmountBody struct {
	Amount   quantity.Sum `json:"amount" minimum:"0" doc:"The amount" example:"100.00"`
	Currency string       `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217). Amounts in several currencies are converted with HMRC's monthly rates" example:"GBP"`
}

// MaterialBody is a line of the bill of materials.
type MaterialBody struct {
	Ref            string         `json:"ref,omitempty" maxLength:"100" doc:"Your reference" example:"1"`
	CommodityCode  string         `json:"commodityCode" pattern:"^[0-9]{6,10}$" doc:"Commodity code, 6 to 10 digits" example:"853400"`
	Description    string         `json:"description,omitempty" maxLength:"1000" doc:"Description. Where a rule names materials by words, these words say that the material is one of them" example:"Printed circuits"`
	Origin         string         `json:"origin,omitempty" pattern:"^[A-Z]{2}$" doc:"Country of origin (ISO 3166-1 alpha-2)" example:"CN"`
	Value          *AmountBody    `json:"value,omitempty" doc:"Value of what is used for the product" example:"{\"amount\":20.00,\"currency\":\"GBP\"}"`
	NetMassKg      *quantity.Mass `json:"netMassKg,omitempty" minimum:"0" doc:"Mass of what is used for the product, in kilograms" example:"0.2"`
	Originating    *bool          `json:"originating,omitempty" doc:"Whether it holds originating status under the scheme. Absent: not known if origin is exportCountry, otherwise false" example:"false"`
	WhollyObtained *bool          `json:"whollyObtained,omitempty" doc:"Whether it is wholly obtained" example:"false"`
	Scheme         string         `json:"scheme,omitempty" pattern:"^[a-z0-9_-]{2,40}$" doc:"Scheme under which it holds originating status, for cumulation" example:"canada"`
}

// ProductionBody says how the product was made.
type ProductionBody struct {
	Country               string   `json:"country,omitempty" pattern:"^[A-Z]{2}$" doc:"Country of the production" example:"CA"`
	WhollyObtained        *bool    `json:"whollyObtained,omitempty" doc:"Whether the product is wholly obtained" example:"false"`
	OnlyMinimalOperations *bool    `json:"onlyMinimalOperations,omitempty" doc:"Whether nothing was done but insufficient operations, such as packing or sorting" example:"false"`
	Processes             []string `json:"processes,omitempty" maxItems:"100" nullable:"false" pattern:"^[A-Z][A-Z0-9_]{1,199}$" doc:"Codes of all processes that were carried out, as factsNeeded names them; not known if absent" example:"[\"WEAVING\"]"`
}

// TransportBody says how the product is transported.
type TransportBody struct {
	Direct           *bool `json:"direct,omitempty" doc:"Whether it is transported directly between the parties" example:"true"`
	AlteredInTransit *bool `json:"alteredInTransit,omitempty" doc:"Whether it is altered on the way" example:"false"`
}

// ConsignmentBody has facts about the consignment.
type ConsignmentBody struct {
	ValueGBP         *quantity.Money `json:"valueGbp,omitempty" minimum:"0" doc:"Value of the originating products in the consignment, in pounds" example:"5000.00"`
	ApprovedExporter *bool           `json:"approvedExporter,omitempty" doc:"Whether the exporter is approved or registered" example:"false"`
	DrawbackClaimed  *bool           `json:"drawbackClaimed,omitempty" doc:"Whether drawback of, or exemption from, duties on the materials was claimed" example:"false"`
}

// maxFaults is how many faults of a request are named.
const maxFaults = 50

// faults collects what is wrong with a request.
type faults []apierr.Detail

func (f *faults) add(field, format string, values ...any) {
	if len(*f) < maxFaults {
		*f = append(*f, apierr.Detail{Field: field, Message: fmt.Sprintf(format, values...)})
	}
}

// country checks a code; an empty one is absent.
func (f *faults) country(field, code string) {
	if code != "" && !ident.IsTradingCountry(code) {
		f.add(field, "must be an ISO 3166-1 alpha-2 country code in capitals, XI or XK")
	}
}

// Question checks what the schema of the request cannot, and returns the question. The error is an *apierr.Error that names
// every fault.
func (r *QuestionBody) Question(d *Data, today string) (*Question, error) {
	var f faults
	q := &Question{Date: r.Date, Service: UK, Code: r.CommodityCode, Description: r.Description, ExportCountry: r.ExportCountry}
	if q.Date == "" {
		q.Date = today
	}
	if _, err := time.Parse(time.DateOnly, q.Date); err != nil {
		f.add("date", "must be a day such as 2026-11-26")
	}
	if r.Destination == "NI" {
		q.Service = XI
	}
	f.country("exportCountry", r.ExportCountry)
	q.Schemes = r.schemes(d, q.Service, &f)
	q.ExWorks, q.FOB, q.NetMass = r.ExWorksPrice.amount(), r.FOBPrice.amount(), ratOf(r.NetMassKg)
	r.prices(&f)
	for i := range r.Materials {
		q.Materials = append(q.Materials, r.Materials[i].material(i, d, q.Service, &f))
	}
	r.others(q, d, &f)
	if len(f) > 0 {
		return nil, apierr.Invalid(f...)
	}
	return q, nil
}

// schemes checks the codes of schemes, which must be held.
func (r *QuestionBody) schemes(d *Data, service string, f *faults) []string {
	seen := map[string]bool{}
	for i, code := range r.Schemes {
		field := fmt.Sprintf("schemes[%d]", i)
		switch _, held := d.Scheme(service, code); {
		case seen[code]:
			f.add(field, "is named twice")
		case !held:
			f.add(field, "is not a scheme that is held for this destination")
		}
		seen[code] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// prices refuses prices of zero, of which no share can be computed.
func (r *QuestionBody) prices(f *faults) {
	for _, p := range []struct {
		field string
		price *AmountBody
	}{{"exWorksPrice.amount", r.ExWorksPrice}, {"fobPrice.amount", r.FOBPrice}} {
		if p.price != nil && p.price.Amount.Sign() <= 0 {
			f.add(p.field, "must be above 0")
		}
	}
	if r.NetMassKg != nil && r.NetMassKg.Sign() <= 0 {
		f.add("netMassKg", "must be above 0")
	}
}

func (a *AmountBody) amount() *Amount {
	if a == nil {
		return nil
	}
	return &Amount{a.Amount.Rat(), a.Currency}
}

func ratOf(m *quantity.Mass) *big.Rat {
	if m == nil {
		return nil
	}
	return m.Rat()
}

func (m *MaterialBody) material(i int, d *Data, service string, f *faults) Material {
	f.country(place(i, "origin"), m.Origin)
	if _, held := d.Scheme(service, m.Scheme); m.Scheme != "" && !held {
		f.add(place(i, "scheme"), "is not a scheme that is held for this destination")
	}
	if m.WhollyObtained != nil && *m.WhollyObtained && m.Originating != nil && !*m.Originating {
		f.add(place(i, "whollyObtained"), "contradicts originating: what is wholly obtained originates. Leave it out for materials that are wholly obtained in another country")
	}
	return Material{
		Code: m.CommodityCode, Description: m.Description, Origin: m.Origin, Value: m.Value.amount(), NetMass: ratOf(m.NetMassKg),
		Originating: m.Originating, Obtained: m.WhollyObtained, Scheme: m.Scheme,
	}
}

// others reads production, transport and consignment.
func (r *QuestionBody) others(q *Question, d *Data, f *faults) {
	if p := r.Production; p != nil {
		f.country("production.country", p.Country)
		for i, code := range p.Processes {
			if len(d.processes) > 0 && !d.knowsProcess(code) {
				f.add(fmt.Sprintf("production.processes[%d]", i), "is not a process that a rule names. factsNeeded of an answer names the codes")
			}
		}
		q.Production = Production{Country: p.Country, Obtained: p.WhollyObtained, Minimal: p.OnlyMinimalOperations, Processes: p.Processes, Listed: p.Processes != nil}
	}
	if t := r.Transport; t != nil {
		q.Direct, q.Altered = t.Direct, t.AlteredInTransit
	}
	if c := r.Consignment; c != nil {
		if c.ValueGBP != nil {
			q.Consignment = c.ValueGBP.Rat()
		}
		q.Approved, q.Drawback = c.ApprovedExporter, c.DrawbackClaimed
	}
}

// knowsProcess reports whether a rule names a process, or a more special one.
func (d *Data) knowsProcess(code string) bool {
	if d.processes[code] {
		return true
	}
	for known := range d.processes {
		if strings.HasPrefix(known, code+"_") {
			return true
		}
	}
	return false
}
