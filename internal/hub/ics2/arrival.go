package ics2

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// window is how long before the arrival a filing must be in. What the law hangs on
// the loading or the take-off, of which a filing does not tell, is bounded from
// both sides.
type window struct {
	rule string        // in words
	late time.Duration // with less, it is late whatever else is true
	risk time.Duration // with less, it is late for most
	safe time.Duration // with more, it is in time for all that arrive so, but deep-sea containers
	near time.Duration // with less, there is not much time left
	law  string        // the article
}

func (w window) source() string {
	return "Delegated Regulation (EU) 2015/2446, " + w.law + "; " + gbGuidance
}

// Windows by the means of transport. A container must be filed a day before it is
// loaded abroad, and no ship from beyond the short sea takes less than four days.
var (
	roadWindow    = window{"one hour before the arrival at the border or the tunnel", time.Hour, time.Hour, time.Hour, 2 * time.Hour, "Article 108"}
	railWindow    = window{"two hours before the arrival, one hour for short trips and the Channel Tunnel", time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 107"}
	shortWindow   = window{"two hours before the arrival by ferry or on a short sea voyage", 2 * time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 105"}
	bulkWindow    = window{"four hours before the arrival in bulk", 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 105"}
	deepWindow    = window{"24 hours before the loading abroad in containers, else four hours before the arrival", 4 * time.Hour, 24 * time.Hour, 24 * time.Hour, deepVoyage + 24*time.Hour, "Article 105"}
	boxWindow     = window{"24 hours before the containers are loaded abroad", 24 * time.Hour, deepVoyage + 24*time.Hour, deepVoyage + 24*time.Hour, deepVoyage + 48*time.Hour, "Article 105"}
	anySeaWindow  = window{"24 hours before the loading abroad in containers; four hours before the arrival else, two on short voyages", 2 * time.Hour, 24 * time.Hour, 24 * time.Hour, 48 * time.Hour, "Article 105"}
	flightWindow  = window{"by the take-off, as the flight is shorter than four hours", 30 * time.Minute, time.Hour, 4 * time.Hour, 4 * time.Hour, "Article 106"}
	longWindow    = window{"four hours before the arrival, as the flight is longer", 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 106"}
	anyAirWindow  = window{"four hours before the arrival, or by the take-off on shorter flights", 30 * time.Minute, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 106"}
	canalWindow   = window{"two hours before the arrival on inland waterways", 2 * time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 109"}
	unknownWindow = window{"before the loading on aircraft; one to four hours before the arrival else", 30 * time.Minute, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Articles 105 to 109"}
)

const deepVoyage = 4 * 24 * time.Hour

func windowOf(f *Filing) window {
	switch c := f.carriage(); {
	case c == byRoad:
		return roadWindow
	case c == byRail:
		return railWindow
	case isFerry(c):
		return shortWindow
	case c == byWaterway:
		return canalWindow
	case c == bySea:
		return f.seaWindow()
	case c == byAir:
		return f.airWindow()
	}
	return unknownWindow
}

func (f *Filing) seaWindow() window {
	from := string(f.loading().country)
	switch {
	case from == "":
		return anySeaWindow
	case slices.Contains(shortSea, from):
		return shortWindow
	case f.inBulk():
		return bulkWindow
	case f.inContainers():
		return boxWindow
	}
	return deepWindow
}

func (f *Filing) airWindow() window {
	from := string(f.loading().country)
	switch {
	case from == "":
		return anyAirWindow
	case slices.Contains(shortFlight, from):
		return flightWindow
	}
	return longWindow
}

// inBulk tells whether goods are said to be in bulk: at most one package, and the
// word or a code of ores, fuels, grain and the like.
func (f *Filing) inBulk() bool {
	if f.TotalPackages != nil && *f.TotalPackages > 1 {
		return false
	}
	first, ok := f.firstCode()
	return slices.Contains(f.words(), "bulk") || ok && first.beginsWith("10 12 15 17 23 25 26 27 28 31 44 72")
}

// inContainers tells whether the description says that the goods travel in freight
// containers. The word itself may mean boxes for food.
func (f *Filing) inContainers() bool {
	boxes := []string{"containerised", "containerized", "fcl", "lcl", "teu", "feu", "20gp", "40gp", "40hc", "40hq"}
	return slices.ContainsFunc(f.words(), func(w string) bool { return slices.Contains(boxes, w) })
}

func (f *Filing) words() []string { return goods.Words(strings.ToLower(f.GoodsDescription)) }

var arrivalRules = ruleSet{
	{Code: "ICS2-049", Severity: rules.Warning, Field: "estimatedArrival", Judge: missingArrival, Source: gbDesign + "; " + dataLaw,
		Title: "The time of arrival is missing"},
	{Code: "ICS2-050", Severity: rules.Blocker, Field: "estimatedArrival", Judge: lateFiling, Source: timeLaw + "; " + gbGuidance,
		Title: "The filing is late, or nearly so, for the way the goods come"},
	{Code: "ICS2-051", Severity: rules.Warning, Field: "estimatedArrival", Judge: farArrival, Source: "Regulation (EU) No 952/2013 (Union Customs Code), Article 129(2): 200 days",
		Title: "The arrival is so far away that the filing lapses before it"},
}

// minute is the layout of instants in messages, in UTC.
const minute = "2 January 2006 15:04 UTC"

func missingArrival(f *Filing, _ rules.Facts) remarks {
	if f.EstimatedArrival != nil {
		return nil
	}
	return rules.Say("There is no time of arrival, so nobody can tell by when the filing is due: "+windowOf(f).rule+".",
		"Ask the carrier when the means of transport is expected at the first place of entry, and give it in estimatedArrival.")
}

func lateFiling(f *Filing, facts rules.Facts) remarks {
	if f.EstimatedArrival == nil {
		return nil
	}
	w, at, ahead := windowOf(f), f.EstimatedArrival.UTC().Format(minute), f.EstimatedArrival.Sub(facts.Now)
	switch {
	case ahead <= 0:
		return rules.Say(fmt.Sprintf("The arrival on %s is past, and the filing goes before the goods: %s.", at, w.rule),
			"Correct the time; if the goods are here, tell customs at once.")
	case ahead < w.late:
		return rules.Say(fmt.Sprintf("The arrival on %s is %s away, and the filing was due %s.", at, span(ahead), w.rule),
			"Submit at once and tell the carrier; the goods may be held. Correct the time if it is wrong.")
	case ahead < w.risk:
		return remarks{{
			Severity:   rules.Warning,
			Message:    fmt.Sprintf("The arrival on %s is %s away, and the filing is due %s.", at, span(ahead), w.rule),
			Suggestion: "Submit at once, and check with the carrier whether it is late already.",
		}}
	case ahead < w.near:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("The arrival on %s is %s away; the filing is due %s.", at, span(ahead), w.rule),
			Suggestion: "Submit now.",
		}}
	}
	return nil
}

// span is a duration in the words of people.
func span(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}

const lapses = 200 * 24 * time.Hour

func farArrival(f *Filing, facts rules.Facts) remarks {
	if f.EstimatedArrival == nil || f.EstimatedArrival.Sub(facts.Now) <= lapses {
		return nil
	}
	return rules.Say(fmt.Sprintf("The arrival on %s is more than 200 days away, and a filing lapses after 200.", f.EstimatedArrival.UTC().Format(minute)), "Check the year, or file later.")
}
