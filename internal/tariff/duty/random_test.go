package duty_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// table is a tariff of one code for tests.
type table struct {
	measures []measure.Measure
	groups   map[string][]string
	listed   map[string]map[string]bool // countries of the groups, for the oracle
	areas    *measure.Areas
	details  measure.Details
	quotas   map[string]measure.Quota
}

func (t *table) Holding() duty.Holding     { return duty.Holding{AsOf: "2021-01-01", Source: "test"} }
func (t *table) Areas() *measure.Areas     { return t.areas }
func (t *table) Details() *measure.Details { return &t.details }

func (t *table) Goods(code, _ string, _ measure.Day) duty.Goods {
	return duty.Goods{Code: code, Import: t.measures}
}

func (t *table) Quota(order string, _ measure.Day) (measure.Quota, bool) {
	q, ok := t.quotas[order]
	return q, ok
}

// Meursing has amounts for one code only.
func (t *table) Meursing(typ, code string, reduction int, area string) (measure.Component, bool) {
	if code != "7049" {
		return measure.Component{}, false
	}
	amount := big.NewRat(int64(len(area)+reduction)*1000+int64(typ[2])*7, 100)
	return measure.Component{Amount: amount, Currency: "EUR", Unit: "DTN"}, true
}

// dice makes random tariffs and questions.
type dice struct{ *rand.Rand }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func of[T any](d dice, all ...T) T { return all[d.IntN(len(all))] }

// decimal is a decimal number below most, with some decimal places.
func (d dice) decimal(most, places int) *big.Rat {
	scale := int64(1)
	for range places {
		scale *= 10
	}
	return big.NewRat(d.Int64N(int64(most)*scale), scale)
}

var (
	countries = []string{"CA", "CN", "US", "FR", "VN", "AD", "GB"}
	documents = []string{"C990", "U088", "Y929", "L001", "C119", "D008", "999L", "Y100", "9120", "C644"}
	codesOf   = []string{"B107", "B108", "B999", "C114", "C999", "2500", "2501"}
	units     = []measure.Unit{
		{Code: "DTN"}, {Code: "KGM"}, {Code: "TNE"}, {Code: "HLT"}, {Code: "LTR"}, {Code: "NAR"}, {Code: "MIL"}, {Code: "LPA"},
		{Code: "ASV"}, {Code: "ASV", Qualifier: "X"}, {Code: "DTN", Qualifier: "Z"}, {Code: "TNE", Qualifier: "I"}, {Code: "RET"},
	}
)

// tariff makes a tariff with measures of every kind.
func (d dice) tariff(uk bool) *table {
	t := &table{groups: map[string][]string{
		"1011": {"CA", "CN", "US", "1013", "2005", "AD"}, "1013": {"FR", "DE", "EU"}, "2005": {"VN", "2020"}, "2020": {"CN"},
	}, details: measure.NewDetails(), quotas: map[string]measure.Quota{}}
	t.details.Series["277"] = "A"
	var err error
	if t.areas, err = measure.NewAreas(t.groups); err != nil {
		panic(err)
	}
	t.list()
	sid := int64(20_000_000)
	if !uk {
		sid = 3_000_000
	}
	add := func(typ string) {
		sid++
		t.measures = append(t.measures, d.measure(t, typ, sid))
	}
	add("103")
	for range d.IntN(7) {
		add(of(d, "103", "105", "142", "106", "145", "112", "115", "117", "119", "141", "122", "123", "143", "146", "551", "552", "552",
			"554", "554", "695", "696", "306", "306", "109", "277", "410", "464", "482", "750", "490"))
	}
	for range d.IntN(3) {
		typ := of(d, "305", "305", "305", "VTS", "VTZ")
		add(typ)
		m := &t.measures[len(t.measures)-1]
		m.SID, m.Additional, m.Conditions = -m.SID, "", nil
		m.Components = []measure.Component{{Expression: "01", Amount: big.NewRat(of(d, int64(20), 5, 0), 1)}}
		if typ == "305" {
			m.Additional = of(d, "", "VATZ", "VATR", "VATE")
		} else if d.chance(50) {
			m.Components = nil
		}
	}
	d.Shuffle(len(t.measures), func(i, j int) { t.measures[i], t.measures[j] = t.measures[j], t.measures[i] })
	return t
}

func (d dice) measure(t *table, typ string, sid int64) measure.Measure {
	m := measure.Measure{SID: sid, Code: "1234567890", Type: typ, Area: "1011", From: 18000}
	if typ != "103" || d.chance(10) {
		m.Area = of(d, "1011", "1011", "1013", "2005", "2020", "CA", "VN", "US")
	}
	if d.chance(20) {
		m.Excluded = []string{of(d, "CA", "EU", "1013", "2005", "US")}
	}
	if d.chance(10) {
		m.To = of[measure.Day](d, 18640, 18641, 18642)
	}
	if typ != "103" && d.chance(10) {
		m.From = of[measure.Day](d, 18640, 18641, 18642)
	}
	if d.chance(10) {
		m.Footnotes = []string{"TN001"}
	}
	m.Components = d.duty()
	switch {
	case slices.Contains([]string{"122", "123", "143", "146"}, typ):
		m.Order = of(d, "050001", "054002", "050003", "094004", "050005")
		if d.chance(80) {
			q := measure.Quota{Order: m.Order, Status: of(d, "OPEN", "OPEN", "CRITICAL", "EXHAUSTED", "SUSPENDED", "BLOCKED")}
			if d.chance(80) {
				q.Balance = big.NewRat(1000, 1)
			}
			t.quotas[m.Order] = q
		}
	case typ == "306":
		m.SID, m.Additional = -sid, of(d, "X611", "X370", "X321")
	case typ == "109":
		m.Components = []measure.Component{{Expression: "99", Unit: of(d, "NAR", "LTR", "KGM")}}
		return m
	case slices.Contains([]string{"103", "551", "552", "554"}, typ) && d.chance(60):
		m.Additional = of(d, codesOf...)
	}
	if d.chance(5) {
		m.Reduction = 1
	}
	if d.chance(40) {
		m.Conditions = d.conditions()
	}
	if slices.Contains([]string{"277", "410", "750"}, typ) && d.chance(70) {
		m.Components = nil
	}
	return m
}

// duty makes a duty: mostly of the forms of the tariff, sometimes any sequence of components.
func (d dice) duty() []measure.Component {
	percent := func(id string) measure.Component { return measure.Component{Expression: id, Amount: d.decimal(30, 3)} }
	specific := func(id string) measure.Component {
		u := of(d, units...)
		return measure.Component{Expression: id, Amount: d.decimal(40, 2), Currency: of(d, "GBP", "GBP", "EUR"), Unit: u.Code, Qualifier: u.Qualifier}
	}
	name := func(id string) measure.Component { return measure.Component{Expression: id} }
	either := func(id string) measure.Component {
		if d.chance(50) {
			return percent(id)
		}
		return specific(id)
	}
	switch d.IntN(14) {
	case 0:
		return []measure.Component{percent("01"), specific("04")}
	case 1:
		return []measure.Component{either("01"), either("15")}
	case 2:
		return []measure.Component{either("01"), either("17")}
	case 3:
		return []measure.Component{percent("01"), specific("15"), specific("17"), specific("36")}
	case 4:
		return []measure.Component{percent("01"), specific("04"), either("35"), either("19")}
	case 5:
		return []measure.Component{percent("01"), name(of(d, "12", "14")), percent("17"), name(of(d, "21", "25", "27", "29"))}
	case 6:
		return []measure.Component{name("37")}
	case 7:
		return []measure.Component{specific("01"), {Expression: "02", Amount: d.decimal(3, 1), Currency: "GBP", Unit: "SPQ"}}
	case 8:
		return []measure.Component{specific("01"), specific("04"), name("99")}
	case 9:
		return nil
	case 10:
		return []measure.Component{{Expression: "01", Amount: new(big.Rat)}}
	case 11:
		all := []measure.Component{either("01")}
		for range d.IntN(4) {
			all = append(all, either(of(d, "04", "02", "36", "15", "17", "20")))
		}
		return all
	}
	return []measure.Component{either("01")}
}

// conditions makes up to three groups of conditions.
func (d dice) conditions() (all []measure.Condition) {
	for range 1 + d.IntN(3) {
		code := of(d, "A", "B", "C", "Z", "E", "I", "V", "L", "R")
		for range 1 + d.IntN(3) {
			c := measure.Condition{Code: code, Action: of(d, "27", "29", "01", "24")}
			switch {
			case slices.Contains([]string{"V", "L", "R", "E", "I"}, code) && d.chance(70):
				c.Threshold = d.threshold(code)
			default:
				c.Document = of(d, documents...)
			}
			if d.chance(10) {
				c.Action = of(d, "08", "09", "07")
			}
			if c.Action == "01" {
				c.Components = d.duty()
			}
			all = append(all, c)
		}
		if d.chance(80) {
			end := measure.Condition{Code: code, Action: of(d, "07", "07", "09", "08", "01")}
			if end.Action == "01" {
				end.Components = d.duty()
			}
			all = append(all, end)
		}
	}
	return all
}

func (d dice) threshold(code string) *measure.Threshold {
	t := &measure.Threshold{Amount: big.NewRat(d.Int64N(60), 1)}
	switch code {
	case "V", "L":
		t.Currency, t.Unit = "EUR", "DTN"
	case "R":
		t.Unit = "KGM"
	default:
		switch d.IntN(3) {
		case 0:
			t.Currency = "GBP"
			t.Amount = big.NewRat(d.Int64N(2000), 1)
		case 1:
			t.Currency, t.Unit = "GBP", "NAR"
		default:
			t.Unit = of(d, "KGM", "HLT")
		}
	}
	return t
}

// question makes a question about a tariff.
func (d dice) question() *asked {
	q := &asked{on: 18641, monthly: map[string]*big.Rat{"USD": big.NewRat(125, 100), "EUR": big.NewRat(117, 100)}}
	if d.chance(90) {
		q.euro = big.NewRat(8571, 10000)
	}
	q.request = &duty.Request{Date: q.on.String(), Destination: of(d, "GB", "GB", "NI")}
	l := duty.RequestLine{
		Ref: "1", CommodityCode: "1234567890", Origin: of(d, countries...), Price: duty.Price{Amount: d.number(5000, 3), Currency: of(d, "GBP", "GBP", "GBP", "GBP", "GBP", "GBP", "USD", "USD", "EUR", "JPY")},
		VATCosts: []duty.Price{}, ExciseCode: of(d, "", "", "X611", "X370"), VATChoice: of(d, "", "VAT", "VATZ"), MeursingCode: of(d, "", "7049", "7000"),
	}
	d.dispatch(q, &l)
	d.worth(q.request, &l)
	if d.chance(20) {
		l.PreferentialOrigin = of(d, countries...)
	}
	if d.chance(30) {
		l.VATCosts = append(l.VATCosts, duty.Price{Amount: d.number(100, 2), Currency: of(d, "GBP", "USD", "JPY")})
	}
	if d.chance(10) {
		q.request.VATCosts, l.VATCosts = []duty.Price{{Amount: d.number(100, 2), Currency: of(d, "GBP", "USD")}}, nil
	}
	q.request.VATAccounting = of(d, "", "", duty.Paid, duty.Postponed)
	d.quantities(&l)
	for range d.IntN(3) {
		l.AdditionalCodes = append(l.AdditionalCodes, of(d, append(codesOf, "B200", "C777")...))
	}
	d.facts(&l.Facts, documents)
	if q.request.Destination == "NI" {
		maybe := func() *bool { return of(d, nil, truth(true), truth(true), truth(false)) }
		q.request.NorthernIreland = &duty.NorthernIreland{
			UKIMS: maybe(), FinalUseInUK: maybe(), TurnoverBelowThreshold: maybe(), ProofOfUKOrigin: maybe(),
			Processing: of(d, "", "NONE", "ALLOWED", "OTHER"),
		}
		if d.chance(30) {
			q.request.NorthernIreland.UnionGoods = truth(false)
		}
	}
	q.request.Lines = []duty.RequestLine{l}
	return q
}

// worth adds an Incoterm, and what adds to the price or is in it: of the line or of the whole.
func (d dice) worth(r *duty.Request, l *duty.RequestLine) {
	r.Incoterm = of(d, "", "EXW", "FOB", "CFR", "CPT", "CIF", "DAP", "DDP", "XXX")
	currency := func() string { return of(d, "GBP", "GBP", "GBP", "GBP", "GBP", "USD", "EUR", "JPY") }
	costs := func(to ...*[]duty.Cost) {
		for _, list := range to {
			for d.chance(20) {
				*list = append(*list, duty.Cost{Amount: d.number(100, 6), Currency: currency(), InPrice: of(d, nil, nil, truth(true), truth(false)), AfterArrival: d.chance(20)})
			}
		}
	}
	coded := func(code string, to ...*[]duty.CodedAmount) {
		for _, list := range to {
			for d.chance(15) {
				*list = append(*list, duty.CodedAmount{Code: code, Amount: d.number(900, 3), Currency: currency()})
			}
		}
	}
	costs(&r.Freight, &l.Freight, &r.Insurance, &l.Insurance)
	coded("AB", &r.Additions, &l.Additions)
	coded("BA", &r.Deductions, &l.Deductions)
	if d.chance(5) {
		n := d.number(5000, 2)
		l.CustomsValue = &n
	}
}

func truth(b bool) *bool { return &b }

// dispatch chooses where the goods come from: never from where they go to.
func (d dice) dispatch(q *asked, l *duty.RequestLine) {
	toNI := q.request.Destination == "NI"
	if d.chance(20) {
		l.DispatchCountry = of(d, "GB", "XI", "FR", "CN")
	}
	same := func(c string) bool { return c == "GB" && !toNI || c == "XI" && toNI }
	if from := l.DispatchCountry; from == "" && same(l.Origin) || same(from) {
		l.DispatchCountry = "CN"
	}
}

func (d dice) number(most, places int) duty.Decimal {
	return duty.Decimal{Rat: d.decimal(most, places)}
}

func (d dice) quantities(l *duty.RequestLine) {
	give := func(to **duty.Decimal, most, places int) {
		if d.chance(60) {
			n := d.number(most, places)
			*to = &n
		}
	}
	give(&l.NetMass, 1000, 3)
	give(&l.AlcoholStrength, 100, 1)
	give(&l.SucrosePercent, 100, 1)
	give(&l.SmallProducerDiscount, 10, 2)
	give(&l.RetailPrice, 1000, 2)
	for _, u := range []measure.Unit{{Code: "LTR"}, {Code: "NAR"}, {Code: "LPA"}, {Code: "TNE", Qualifier: "I"}, {Code: "DTN"}} {
		if d.chance(40) {
			l.Quantities = append(l.Quantities, duty.Quantity{Unit: u.Code, Qualifier: u.Qualifier, Value: d.number(100, 2)})
		}
	}
}

// facts answers some of the questions for documents.
func (d dice) facts(f *duty.Facts, all []string) {
	f.OtherDocuments = of(d, "", "UNKNOWN", "NONE")
	f.ProofOfOrigin = of(d, "", "HELD", "NONE")
	unknown := 0
	for _, code := range all {
		switch n := d.IntN(10); {
		case n < 3:
			f.Documents = append(f.Documents, duty.Document{Code: code})
		case n < 6 || unknown >= 5:
			f.DocumentsAbsent = append(f.DocumentsAbsent, code)
		default:
			unknown++
		}
	}
	if d.chance(30) {
		f.EntryPrice = &duty.Price{Amount: d.number(80, 1), Currency: of(d, "GBP", "EUR", "JPY")}
	}
	f.DeMinimisAid = of(d, nil, truth(true), truth(false))
}

func (q *asked) String() string {
	return fmt.Sprintf("destination %s, NI %+v, line %+v", q.request.Destination, q.request.NorthernIreland, q.request.Lines[0])
}
