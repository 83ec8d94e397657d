package rule

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// The elements of the header that several rules need.
const (
	headerMode     = "TraModAtBorHEA76"
	headerIdentity = "IdeOfMeaOfTraCroHEA85"
	headerCountry  = "NatOfMeaOfTraCroHEA87"
	headerPackages = "TotNumOfPacHEA306"
	headerItems    = "TotNumOfIteHEA305"
	headerMass     = "TotGroMasHEA307"
	headerCase     = "SpeCirIndHEA1"
	headerRun      = "ConRefNumHEA"
)

// The modes of transport at the border that a declaration can have: 1 sea, 2 rail, 3 road on the shuttle through the tunnel,
// 4 air, 8 inland waterway, 10 and 11 roll-on roll-off with and without a driver.
var modes = []float64{1, 2, 3, 4, 8, 10, 11}

var (
	vesselNumber = lazyregexp.New(`^\s*[0-9]{7,8}\s*$`)
	flightNumber = lazyregexp.New(`^\s*([a-zA-Z0-9]{3}[0-9]{1,4}[a-zA-Z]?|[a-zA-Z0-9]{1,3}[0-9][a-zA-Z]?)\s*$`)
	transfer     = lazyregexp.New(`^\s*XFER`)
	transferForm = lazyregexp.New(`^\s*XFER[a-zA-Z0-9]+([:-][a-zA-Z0-9]+)?\s*$`)
	oneLine      = lazyregexp.New(`^[^\n\r\x{85}\x{2028}\x{2029}]+\s*$`)
)

// header are the rules for the header.
var header = []block{{at: "HEAHEA", rules: []rule{
	{8107, "Transport by sea or inland waterway (1, 8) needs the identity of the means of transport.",
		either(not(equals(headerMode, 1, 8)), has(headerIdentity)), ""},
	{8108, "Transport by road (3, 10, 11) needs the nationality of the means of transport if its identity is given.",
		either(has(headerCountry), not(is(headerMode, "3", "10", "11")), lacks(headerIdentity)), verdict.Old},
	{8109, "The total number of packages is needed if an item has packages.", either(lacks("../GOOITEGDS/PACGS2"), has(headerPackages)), verdict.Old},
	{8111, "The circumstance C is for transport by road, not for the modes 1, 2, 4, 8, 10 and 11.",
		either(not(is(headerCase, "C")), not(equals(headerMode, 1, 2, 4, 8, 10, 11))), ""},
	{8112, "The circumstance D is for transport by rail, not for the modes 1, 3, 4, 8, 10 and 11.",
		either(not(is(headerCase, "D")), not(equals(headerMode, 1, 3, 4, 8, 10, 11))), ""},
	{8689, "The mode of transport at the border must be 1, 2, 3, 4, 8, 10 or 11.", equals(headerMode, modes...), ""},
	{8690, "The mode of transport at the border must have no leading zero.", unpadded(headerMode), ""},
	{8113, "Transport by air (4) has no identity of the means of transport.", either(lacks(headerIdentity), not(equals(headerMode, 4))), ""},
	{8114, "The identity of a vessel is its IMO number of 7 digits or its ENI of 8 digits.",
		either(not(equals(headerMode, 1, 8)), lacks(headerIdentity), matches(headerIdentity, vesselNumber)), ""},
	{8115, "The nationality of the means of transport is for transport by road (3, 10, 11) with its identity.",
		either(lacks(headerCountry), both(equals(headerMode, 3, 10, 11), has(headerIdentity))), ""},
	{8116, "The total number of packages is not allowed if no item has packages.", either(lacks(headerPackages), has("../GOOITEGDS/PACGS2")), verdict.Old},
	{8206, "The total number of items must be the number of items.", itemsCounted, verdict.Old},
	{8206, "The total number of items must be the number of items.", either(lacks(headerItems), itemsCounted), verdict.New},
	{8671, "The total number of items must have no leading zero.", unpadded(headerItems), ""},
	{8117, "The total number of packages must be all packages, all pieces, and one for each entry in bulk.", either(lacks(headerPackages), packagesCounted), verdict.Old},
	{8672, "The total number of packages must have no leading zero.", unpadded(headerPackages), ""},
	{8673, "The total gross mass must have no plus or minus sign.", not(contains(headerMass, "+-")), ""},
	{8118, "Transport by air (4) needs a flight number as the conveyance reference: airline, number of up to 4 digits, and a letter if any.",
		either(not(equals(headerMode, 4)), matches(headerRun, flightNumber)), ""},
	{8691, "The specific circumstance indicator must be C, D or E.", either(is(headerCase, "C", "D", "E"), lacks(headerCase)), ""},
	{8685, "A conveyance reference by sea that begins with XFER needs letters or digits after it, then possibly a colon or hyphen and more of them.",
		either(not(equals(headerMode, 1)), lacks(headerRun), matches(headerRun, transferForm),
			both(not(matches(headerRun, transfer)), matches(headerRun, oneLine))), ""},
	{8686, "The total gross mass must be at least the sum of the gross masses of the items.", either(lacks(headerMass), massCovered), ""},
}}}

func itemsCounted(e *element.Element) bool {
	return number(e, headerItems) == float64(length(e, "../GOOITEGDS"))
}

// packagesCounted compares the total with the counts of all items: packages, pieces, and one for each entry in bulk.
func packagesCounted(e *element.Element) bool {
	total := sum(e, "../GOOITEGDS/PACGS2/NumOfPacGS24") + sum(e, "../GOOITEGDS/PACGS2/NumOfPieGS25")
	for _, kind := range bulk {
		total += float64(count(e, "../GOOITEGDS/PACGS2/KinOfPacGS23", kind))
	}
	return number(e, headerPackages) == total
}

// massCovered compares the total gross mass with the sum of the items, with HMRC's tolerance for errors of rounding. It holds
// if a mass has a plus sign, which other rules report.
func massCovered(e *element.Element) bool {
	const items = "../GOOITEGDS/GroMasGDS46"
	plus := contains(".", "+")
	if contains(headerMass, "+")(e) || !e.Each(items, not(plus)) {
		return true
	}
	tolerance := 1 + 0.0000000000000001*float64(length(e, items))
	return number(e, headerMass)*tolerance+0.0001 >= sum(e, items)
}
