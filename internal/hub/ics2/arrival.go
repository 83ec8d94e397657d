package ics2

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

// window is the time limit of a filing before the arrival. If the legal limit depends on the loading or the take-off, which
// a filing does not contain, the window gives lower and upper bounds.
type window struct {
	rule string        // in words
	late time.Duration // with less time, the filing is certainly late
	risk time.Duration // with less time, it is probably late
	safe time.Duration // with more time, it is certainly in time, except for deep-sea containers
	near time.Duration // with less time, it is urgent
	law  string        // the article
}

func (w window) source() string {
	return "Delegated Regulation (EU) 2015/2446, " + w.law + "; " + gbGuidance
}

// Windows by means of transport. The filing for a container is due a day before it is loaded abroad, and a deep-sea voyage
// takes at least four days.
var (
	roadWindow    = window{"one hour before the arrival at the border or the tunnel", time.Hour, time.Hour, time.Hour, 2 * time.Hour, "Article 108"}
	railWindow    = window{"two hours before the arrival, one hour for short trips and the Channel Tunnel", time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 107"}
	shortWindow   = window{"two hours before the arrival by ferry or on a short sea voyage", 2 * time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 105"}
	bulkWindow    = window{"four hours before the arrival for bulk cargo", 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 105"}
	deepWindow    = window{"24 hours before the loading abroad for containers, otherwise four hours before the arrival", 4 * time.Hour, 24 * time.Hour, 24 * time.Hour, deepVoyage + 24*time.Hour, "Article 105"}
	boxWindow     = window{"24 hours before the containers are loaded abroad", 24 * time.Hour, deepVoyage + 24*time.Hour, deepVoyage + 24*time.Hour, deepVoyage + 48*time.Hour, "Article 105"}
	anySeaWindow  = window{"24 hours before the loading abroad for containers; otherwise four hours before the arrival, two on short voyages", 2 * time.Hour, 24 * time.Hour, 24 * time.Hour, 48 * time.Hour, "Article 105"}
	flightWindow  = window{"before take-off, because the flight is shorter than four hours", 30 * time.Minute, time.Hour, 4 * time.Hour, 4 * time.Hour, "Article 106"}
	longWindow    = window{"four hours before the arrival, because the flight is longer", 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 106"}
	anyAirWindow  = window{"four hours before the arrival, or before take-off on shorter flights", 30 * time.Minute, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Article 106"}
	canalWindow   = window{"two hours before the arrival on inland waterways", 2 * time.Hour, 2 * time.Hour, 2 * time.Hour, 4 * time.Hour, "Article 109"}
	unknownWindow = window{"before the loading on aircraft; otherwise one to four hours before the arrival", 30 * time.Minute, 4 * time.Hour, 4 * time.Hour, 8 * time.Hour, "Articles 105 to 109"}
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

// inBulk reports whether the goods are bulk cargo: at most one package, and the word "bulk" or a code of ores, fuels, grain
// and so on.
func (f *Filing) inBulk() bool {
	if f.TotalPackages != nil && *f.TotalPackages > 1 {
		return false
	}
	first, ok := f.firstCode()
	return slices.Contains(f.words(), "bulk") || ok && first.beginsWith("10 12 15 17 23 25 26 27 28 31 44 72")
}

// inContainers reports whether the description says that the goods travel in freight containers. The word "container"
// alone may mean boxes for food.
func (f *Filing) inContainers() bool {
	boxes := []string{"containerised", "containerized", "fcl", "lcl", "teu", "feu", "20gp", "40gp", "40hc", "40hq"}
	return slices.ContainsFunc(f.words(), func(w string) bool { return slices.Contains(boxes, w) })
}

func (f *Filing) words() []string { return goods.Words(strings.ToLower(f.GoodsDescription)) }

var arrivalRules = ruleSet{
	{Code: "ICS2-049", Severity: rules.Warning, Field: "estimatedArrival", Check: missingArrival, Source: gbDesign + "; " + dataLaw,
		Title: "The time of arrival is missing"},
	{Code: "ICS2-050", Severity: rules.Blocker, Field: "estimatedArrival", Check: lateFiling, Source: timeLaw + "; " + gbGuidance,
		Title: "The filing is late or urgent for the mode of transport"},
	{Code: "ICS2-051", Severity: rules.Warning, Field: "estimatedArrival", Check: farArrival, Source: "Regulation (EU) No 952/2013 (Union Customs Code), Article 129(2): 200 days",
		Title: "The filing lapses before the arrival"},
}

// minute is the layout of times in messages, in UTC.
const minute = "2 January 2006 15:04 UTC"

func missingArrival(f *Filing, _ rules.Facts) remarks {
	if f.EstimatedArrival != nil {
		return nil
	}
	return rules.Remarks("There is no time of arrival, so the deadline of the filing is unknown: "+windowOf(f).rule+".",
		"Ask the carrier for the expected arrival at the first place of entry, and give it in estimatedArrival.")
}

func lateFiling(f *Filing, facts rules.Facts) remarks {
	if f.EstimatedArrival == nil {
		return nil
	}
	w, at, ahead := windowOf(f), f.EstimatedArrival.UTC().Format(minute), f.EstimatedArrival.Sub(facts.Now)
	switch {
	case ahead <= 0:
		return rules.Remarks(fmt.Sprintf("The arrival on %s is in the past, but the filing was due before it: %s.", at, w.rule),
			"Correct the time. If the goods have arrived, inform customs now.")
	case ahead < w.late:
		return rules.Remarks(fmt.Sprintf("The arrival on %s is %s away, and the filing was due %s.", at, formatDuration(ahead), w.rule),
			"Submit now and inform the carrier, because the goods may be held. Correct the time if it is wrong.")
	case ahead < w.risk:
		return remarks{{
			Severity:   rules.Warning,
			Message:    fmt.Sprintf("The arrival on %s is %s away, and the filing is due %s.", at, formatDuration(ahead), w.rule),
			Suggestion: "Submit now, and check with the carrier whether it is already late.",
		}}
	case ahead < w.near:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("The arrival on %s is %s away; the filing is due %s.", at, formatDuration(ahead), w.rule),
			Suggestion: "Submit now.",
		}}
	}
	return nil
}

// formatDuration formats a duration in minutes, hours or days.
func formatDuration(d time.Duration) string {
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
	return rules.Remarks(fmt.Sprintf("The arrival on %s is more than 200 days away, and a filing lapses after 200.", f.EstimatedArrival.UTC().Format(minute)), "Check the year, or file later.")
}
