package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// What tables can lack besides kinds of measures.
const (
	LacksThreshold = "THRESHOLD"     // thresholds of conditions
	LacksBalance   = "QUOTA_BALANCE" // periods and balances of quotas
)

// charging are the kinds without which a total is not complete.
var charging = []string{Lacks(measure.Remedy), Lacks(measure.Excise), Lacks(measure.VAT), LacksThreshold}

// kindNames name the kinds of measures that an edition can lack.
var kindNames = map[measure.Kind]string{
	measure.ThirdCountry: "THIRD_COUNTRY", measure.Preference: "PREFERENCE", measure.Suspension: "SUSPENSION", measure.QuotaDuty: "QUOTA",
	measure.Remedy: "REMEDY", measure.Excise: "EXCISE", measure.VAT: "VAT",
}

// Lacks names a kind of measures that an edition does not hold.
func Lacks(k measure.Kind) string {
	if name := kindNames[k]; name != "" {
		return name
	}
	return "CONTROL"
}

// gaps warns of the kinds that the edition lacks, and reports whether one can add a charge.
func (w *work) gaps(x *calculation) bool {
	lacks := slices.Concat(x.found.Lacks, x.lacks())
	slices.Sort(lacks)
	lacks = slices.Compact(lacks)
	if len(lacks) > 0 {
		w.warning("KINDS_NOT_HELD", "The tariff does not hold these kinds of measures: "+strings.Join(lacks, ", ")+".", lacks...)
	}
	return slices.ContainsFunc(lacks, func(k string) bool { return slices.Contains(charging, k) })
}

// lacks are the kinds of which the edition does not hold all thresholds for the goods.
func (x *calculation) lacks() (kinds []string) {
	for kind, all := range x.sorted.kinds {
		for _, m := range all {
			switch {
			case !slices.ContainsFunc(m.Conditions, isUnheld):
			case measure.Kind(kind) == measure.Control:
				kinds = appendOnce(kinds, Lacks(measure.Control))
			default:
				kinds = appendOnce(kinds, LacksThreshold)
			}
		}
	}
	return kinds
}

func isUnheld(c measure.Condition) bool { return c.Threshold != nil && c.Threshold.Amount == nil }
