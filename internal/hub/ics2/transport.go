package ics2

import (
	"slices"
	"strings"
)

// Codes of the mode of transport at the border (UN/ECE Recommendation No. 19, and
// two of HMRC's own for ferries).
const (
	bySea           = "1"
	byRail          = "2"
	byRoad          = "3"
	byAir           = "4"
	byPost          = "5"
	byWaterway      = "8"
	byFerry         = "10" // the driver travels with the lorry
	byFerryUnmanned = "11" // the trailer travels alone
)

// modes say which codes a type of filing may have. Mail may come by any means.
var modes = map[FilingType][]string{
	Road:   {byRoad, byFerry, byFerryUnmanned},
	Air:    {byAir},
	Sea:    {bySea, byWaterway, byFerry, byFerryUnmanned},
	Rail:   {byRail},
	Postal: {byPost, bySea, byRail, byRoad, byAir, byWaterway, byFerry, byFerryUnmanned},
}

// modeWords are the words that people write for the codes.
var modeWords = map[string]string{
	"SEA": bySea, "MARITIME": bySea, "OCEAN": bySea, "RAIL": byRail, "ROAD": byRoad, "TRUCK": byRoad, "LORRY": byRoad, "AIR": byAir,
	"POST": byPost, "POSTAL": byPost, "MAIL": byPost, "INLAND WATERWAY": byWaterway, "INLAND_WATERWAY": byWaterway, "RORO": byFerry, "FERRY": byFerry,
}

// parseMode reads a code, also where it is written as a word or with a nought
// before it; an empty one is none.
func parseMode(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if code, ok := modeWords[text]; ok {
		return code
	}
	if code := strings.TrimLeft(text, "0"); slices.Contains(modes[Postal], code) {
		return code
	}
	return ""
}

// carriage is how the goods cross the border: by the code or, where that says
// nothing, by the type of the filing.
func (f *Filing) carriage() string {
	if code := parseMode(f.ModeOfTransport); code != "" {
		return code
	}
	switch f.FilingType {
	case Road:
		return byRoad
	case Air:
		return byAir
	case Sea:
		return bySea
	case Rail:
		return byRail
	}
	return byPost
}

// carriageNames are the codes in words.
var carriageNames = map[string]string{
	bySea: "sea", byRail: "rail", byRoad: "road", byAir: "air", byPost: "post", byWaterway: "inland waterway",
	byFerry: "accompanied ferry traffic", byFerryUnmanned: "unaccompanied ferry traffic",
}

func isFerry(code string) bool { return code == byFerry || code == byFerryUnmanned }
