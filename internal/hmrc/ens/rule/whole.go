package rule

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// whole are the rules for a declaration as a whole.
var whole = []block{{at: ".", rules: []rule{
	{8193, "Consignors of items must be at least two that differ. One consignor of all goods stands in the header.", consignorsDiffer, ""},
	{8102, "The items must be numbered 1, 2, 3 and so on, in their order.", numberedFromOne, ""},
	{8611, "There may be at most 999 items.", atMost("GOOITEGDS", 999), ""},
	{8688, "At least one item needs packages.", has("GOOITEGDS/PACGS2"), ""},
	{8617, "There may be at most 9,999 seals.", atMost("SEAID529", 9999), ""},
	{8684, "The itinerary needs at least two countries.", atLeast("ITI", 2), ""},
}}}

var senderForm = lazyregexp.New(`^\s*[A-Z]{2}([\s]+|[^\n\r]){1,15}/[0-9]{10}\s*$`)

var sender = []block{{at: "MesSenMES3", rules: []rule{
	{4065, "The sender must be an EORI, a slash and a branch of ten digits.", matches(".", senderForm), ""},
}}}

// lodgement is about the office where the declaration is lodged. Amendments do not name it.
var lodgement = []block{{at: "CUSOFFLON/RefNumCOL1", only: "CC315A", rules: []rule{
	{8616, "The office of lodgement must differ from the office of first entry.", lodgedElsewhere, ""},
}}}

func lodgedElsewhere(e *element.Element) bool {
	return e.Trimmed(".") != e.Trimmed("../../CUSOFFFENT730/RefNumCUSOFFFENT731")
}

// consignorParts are the texts in which two consignors of items can differ, beside their EORIs.
var consignorParts = []string{"NamCO27", "StrAndNumCO222", "PosCodCO223", "CitCO224", "CouCO225", "NADLNGGTCO"}

// consignorsDiffer holds if no item has a consignor, or if at least two have and they are not all the same. A part that one of
// them lacks is not compared; the number of parts is.
func consignorsDiffer(e *element.Element) bool {
	const at = "GOOITEGDS/TRACONCO2"
	if n := length(e, at); n < 2 {
		return n == 0
	}
	if varied(e, at, func(c *element.Element) string { return strconv.Itoa(len(c.Children)) }) ||
		varied(e, at+"/TINCO259", (*element.Element).Text) {
		return true
	}
	for _, part := range consignorParts {
		if varied(e, at+"/"+part, func(c *element.Element) string { return element.Trim(c.Text()) }) {
			return true
		}
	}
	return false
}

// varied reports whether the elements at a path differ in something.
func varied(e *element.Element, path string, by func(*element.Element) string) bool {
	seen := map[string]bool{}
	return !e.Each(path, func(c *element.Element) bool {
		seen[by(c)] = true
		return len(seen) < 2
	})
}

func numberedFromOne(e *element.Element) bool {
	expected := int64(0)
	return e.Each("GOOITEGDS/IteNumGDS7", func(c *element.Element) bool {
		expected++
		value, ok := integer(c.Text())
		return ok && value == expected
	})
}
