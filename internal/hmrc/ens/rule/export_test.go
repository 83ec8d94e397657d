package rule

import "github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"

// Known is a rule with the elements that it is for.
type Known struct {
	Number int
	At     string
	Only   verdict.Generation
}

// All returns all rules.
func All() (all []Known) {
	for _, b := range blocks {
		for _, g := range []verdict.Generation{verdict.New, verdict.Old} {
			for _, r := range b.of(nil, g) {
				if g == verdict.New || r.only == verdict.Old {
					all = append(all, Known{r.number, b.at, r.only})
				}
			}
		}
	}
	return all
}

// Party is a party of a declaration for tests.
type Party struct {
	At, EORI                       string
	Parts                          [5]string
	Unidentified, British, Foreign int
}

// Parties returns the parties that can have an EORI or an address.
func Parties() (all []Party) {
	for _, p := range []party{consignor, consignee, notified, itemConsignor, itemConsignee, itemNotified, carrier} {
		all = append(all, Party{p.at, p.eori, p.parts, p.unidentified, p.british, p.foreign})
	}
	return all
}
