package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Data elements of a declaration that options fill.
const (
	elementDocument   = "2/3"
	elementPreference = "4/17"
	elementPayment    = "4/8"
	elementTaric      = "6/16"
	elementNational   = "6/17"
	elementQuota      = "8/1"
)

// authorisedUse is the document of an authorisation for authorised use.
const authorisedUse = "N990"

// developing are the areas of the preferences for developing countries.
var developing = map[string]bool{"2005": true, "2020": true, "2027": true, "1060": true, "1061": true, "1062": true}

// useDeclaration is the type of the measure that demands a declaration of authorised use.
const useDeclaration = "464"

// preferences are the codes of DE 4/17 by measure type: plain, under authorised use, and with a certificate of authenticity.
var preferences = map[string][3]string{
	"103": {"100", "100", "150"}, "105": {"140", "140", "140"}, "117": {"140", "140", "140"}, "106": {"400", "400", "400"},
	"112": {"110", "115", "110"}, "115": {"115", "115", "115"}, "119": {"119", "119", "119"},
	"122": {"120", "123", "125"}, "123": {"123", "123", "123"}, "141": {"310", "315", "310"},
	"142": {"300", "340", "300"}, "143": {"320", "323", "325"}, "145": {"340", "340", "340"}, "146": {"323", "323", "323"},
	"147": {"420", "420", "420"},
}

// developingPreferences are those for developing countries.
var developingPreferences = map[string][3]string{
	"142": {"200", "240", "200"}, "143": {"220", "223", "225"}, "145": {"240", "240", "240"},
	"146": {"223", "223", "223"},
}

// preference returns the code of DE 4/17 of the option; empty if it has none.
func (o *option) preference() string {
	if o.base == nil || o.base.measure == nil {
		return ""
	}
	m := o.base.measure
	codes, ok := preferences[m.Type]
	if developing[m.Area] && developingPreferences[m.Type] != [3]string{} {
		codes = developingPreferences[m.Type]
	}
	documents := o.base.documents
	switch {
	case !ok:
		return ""
	case m.Type == "103" && o.x.declaresUse():
		return "140"
	case slices.Contains(documents, authorisedUse):
		return codes[1]
	case slices.ContainsFunc(documents, func(d string) bool { return strings.HasPrefix(d, "A") }):
		return codes[2]
	}
	return codes[0]
}

// declaresUse reports whether the goods have a measure that demands a declaration of authorised use.
func (x *calculation) declaresUse() bool {
	return slices.ContainsFunc(x.of(measure.Control), func(m *measure.Measure) bool { return m.Type == useDeclaration })
}

// declare returns what must be declared for an option, by data element and code.
func (o *option) declare() []Entry {
	entries := []Entry{}
	add := func(element, code, why string) {
		if code != "" && !slices.ContainsFunc(entries, func(e Entry) bool { return e.Element == element && e.Code == code }) {
			entries = append(entries, Entry{Element: element, Code: code, Why: why})
		}
	}
	add(elementPreference, o.preference(), labels[o.kind])
	if o.quota != nil {
		add(elementQuota, o.quota.Order, "the quota is claimed")
	}
	for _, c := range o.bill.all() {
		o.x.entries(c, add)
	}
	if vat := o.bill.vat; vat != nil {
		if code := vatCode(vat.measure); code != vatStandard {
			add(elementNational, code, "the VAT rate")
		}
	}
	for _, d := range o.x.cleared {
		add(elementDocument, d.code, "the measure "+d.typ+" asks for it")
	}
	for _, s := range northern(o.x.route, o.kind, o.x.name) {
		add(s.element, s.code, s.why)
	}
	add(elementPayment, o.x.request.PaymentMethod, "the method of payment")
	o.x.statuses(entries)
	sortEntries(entries)
	return entries
}

func sortEntries(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return compare(strings.Compare(a.Element, b.Element), strings.Compare(a.Code, b.Code))
	})
}

// entries adds what a charge has declared.
func (x *calculation) entries(c *charge, add func(element, code, why string)) {
	for _, document := range c.documents {
		add(elementDocument, document, "the measure "+c.measure.Type+" asks for it")
	}
	if measure.KindOf(c.measure.Type) == measure.Excise {
		add(elementNational, c.measure.Additional, "the excise duty")
	} else {
		add(elementTaric, c.measure.Additional, "the measure "+c.measure.Type+" is of this additional code")
	}
}

// statuses fills in the statuses of documents that the request states.
func (x *calculation) statuses(entries []Entry) {
	for i := range entries {
		if held := x.goods.held[entries[i].Code]; entries[i].Element == elementDocument && held != nil {
			entries[i].Status = nullable(held.Status)
		}
	}
}
