package ics2

import (
	"slices"
	"strings"
)

// Codes of the mode of transport at the border (UN/ECE Recommendation No. 19, and two HMRC codes for ferries).
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

// modes lists the codes that a type of filing may have. Mail may come by any mode.
var modes = map[FilingType][]string{
	Road:   {byRoad, byFerry, byFerryUnmanned},
	Air:    {byAir},
	Sea:    {bySea, byWaterway, byFerry, byFerryUnmanned},
	Rail:   {byRail},
	Postal: {byPost, bySea, byRail, byRoad, byAir, byWaterway, byFerry, byFerryUnmanned},
}

// modeWords maps words to codes.
var modeWords = map[string]string{
	"SEA": bySea, "MARITIME": bySea, "OCEAN": bySea, "RAIL": byRail, "ROAD": byRoad, "TRUCK": byRoad, "LORRY": byRoad, "AIR": byAir,
	"POST": byPost, "POSTAL": byPost, "MAIL": byPost, "INLAND WATERWAY": byWaterway, "INLAND_WATERWAY": byWaterway, "RORO": byFerry, "FERRY": byFerry,
}

// parseMode reads a code, also as a word or with a leading zero. It returns "" for an unknown one.
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

// carriage returns the mode of transport: from the code, or from the type of filing if the code is unknown.
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

// carriageNames maps codes to words.
var carriageNames = map[string]string{
	bySea: "sea", byRail: "rail", byRoad: "road", byAir: "air", byPost: "post", byWaterway: "inland waterway",
	byFerry: "accompanied ferry traffic", byFerryUnmanned: "unaccompanied ferry traffic",
}

func isFerry(code string) bool { return code == byFerry || code == byFerryUnmanned }
