// Package origin decides whether goods originate in a country under a trade agreement or a unilateral preference, from
// their bill of materials. It reads the schemes, product-specific rules and articles that HMRC publishes, as the operator
// imports them; the program has none of its own. The texts of the rules are compiled; what is not understood to the last
// word is left to a person. Doubt never makes goods originating.
package origin

import (
	"slices"
	"strings"
	"time"
)

// EngineVersion names the rules of this package. It changes whenever the same question with the same data may have another
// answer.
const EngineVersion = "3"

// Services whose data are held apart.
const (
	UK = "uk" // the United Kingdom's schemes: goods for Great Britain
	XI = "xi" // the European Union's schemes: goods for Northern Ireland
)

// Data is an edition of everything that was imported. It does not change; an import makes another one. The zero value has
// no schemes.
type Data struct {
	Version    int64
	ImportedAt time.Time
	schemes    map[string][]*Scheme // by service; in order of code
	processes  map[string]bool      // codes of processes that the rules name
}

// Schemes returns the schemes of a service in order of code.
func (d *Data) Schemes(service string) []*Scheme { return d.schemes[service] }

// Scheme returns a scheme by its code.
func (d *Data) Scheme(service, code string) (*Scheme, bool) {
	all := d.schemes[service]
	at, ok := slices.BinarySearchFunc(all, code, func(s *Scheme, code string) int { return strings.Compare(s.Code, code) })
	if !ok {
		return nil, false
	}
	return all[at], true
}

// Scheme is a trade agreement or a unilateral preference.
type Scheme struct {
	Code       string
	Title      string
	From, To   string // days, YYYY-MM-DD; empty for no limit
	Unilateral bool
	Countries  []string // ISO 3166-1 alpha-2, with XS for Serbia and names of groups
	Cumulation []Cumulation
	Proofs     []Proof
	Sets       []RuleSet // by beginning, the widest first
	articles   map[string]string
	tolerance  tolerance
	textiles   textileNotes
	freeTrims  bool // materials outside of chapters 50 to 63 may be used in textile products
}

// Cumulation names the countries whose materials count as the exporter's.
type Cumulation struct {
	Method    string
	Countries []string
}

// Proof is a proof of origin that the scheme accepts.
type Proof struct {
	Class   string // origin-declaration, eur1 …
	Title   string
	Wording string
	Limit   string // GBP: above this value of the consignment only an approved or registered exporter can make it out; empty for none
}

// RuleSet are the rules for some products. They are alternatives.
type RuleSet struct {
	Heading     string // as the agreement prints it
	Subdivision string // description of the products
	Min, Max    string // commodity codes of ten digits
	Partial     bool   // only for products that the subdivision describes
	Special     bool   // for a quota or a derogation
	Unsure      bool   // the data do not say whether the rules are alternatives
	Rules       []Rule
	words       string // plain words of the subdivision, or of the heading if there is none
	width       int64  // codes in the interval
}

// Rule is one way to originate.
type Rule struct {
	*ruleText
	Quota bool // within an annual quota
	Rows  int  // published rows that were joined
}

// ruleText is the text of rules, and what is read of it. All rules with a text share it.
type ruleText struct {
	Text     string
	Notes    bool // refers to an introductory note
	Compiled bool
	readings [][]clause // see clauses
	notes    []int      // numbers of the introductory notes that it refers to
}

// clause is a list of conditions that must all hold.
type clause []Condition

// holds reports whether a scheme is in force on a day.
func (s *Scheme) holds(day string) bool {
	return (s.From == "" || s.From <= day) && (s.To == "" || day <= s.To)
}

// names reports whether the scheme is for goods of a country.
func (s *Scheme) names(country string) bool { return slices.Contains(s.Countries, dataCode(country)) }

// dataCode returns the code that the published lists have for a country: XS for Serbia.
func dataCode(country string) string {
	if country == "RS" {
		return "XS"
	}
	return country
}

// Article returns the text of an article, such as insufficient-processing; empty if the scheme has none.
func (s *Scheme) Article(name string) string { return s.articles[name] }

// Names of articles.
const (
	tolerances       = "tolerances"
	sufficientlyMade = "sufficiently-worked"
	insufficient     = "insufficient-processing"
	directTransport  = "direct-transport"
	nonAlteration    = "non-alteration"
	dutyDrawback     = "duty-drawback"
	cumulationImport = "cumulation-import"
)
