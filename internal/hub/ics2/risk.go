package ics2

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

var riskRules = ruleSet{
	{Code: "ICS2-032", Severity: rules.Warning, Field: "commodityCodes", Check: dangerousCodes, Source: "GOV.UK: Import controlled goods",
		Title: "A commodity code belongs to goods that need a licence at the border"},
	{Code: "ICS2-033", Severity: rules.Info, Field: "commodityCodes", Check: controlledCodes, Source: "GOV.UK: Import controlled goods",
		Title: "A commodity code belongs to goods that need additional documents"},
	{Code: "ICS2-034", Severity: rules.Info, Field: "commodityCodes", Check: highPriority, Source: "Common High Priority List of the United Kingdom, the European Union, Japan and the United States",
		Title: "A commodity code is on the Common High Priority List"},
	{Code: "ICS2-035", Severity: rules.Info, Field: "goodsDescription", Check: oneWord, Source: dataQuality,
		Title: "Chemicals, machines or arms are described by one word"},
}

// risk is a group of goods by prefixes of their codes, with the documents they need.
type risk struct{ goods, codes, needs string }

// licensed goods are held at the border without a licence.
var licensed = []risk{
	{"arms and ammunition", "8710 9301 9302 9303 9305 9306", "an import licence, and authority under the Firearms Act 1968"},
	{"explosives and fireworks", "3601 3602 3603 3604", "a licence under the Explosives Regulations 2014"},
	{"nuclear or radioactive goods", "2612 2844 8401", "an authorisation for radioactive or nuclear material"},
	{"chemicals of the Chemical Weapons Convention", `281112 281211 281212 281213 281214 281215 281216 281217 285310 290491
		292021 292022 292023 292024 293060 293070`, "a declaration, or a licence, under the Chemical Weapons Act 1996"},
	{"drug precursors", `284161 291431 291524 291634 292243 292423 293291 293292 293293 293294 293332 293941 293942 293944 293961 293962 293963`,
		"a registration or licence for precursor chemicals, and an import authorisation for some"},
	{"narcotics", "121130 121140 130211 293295 293333 293911 293972", "a Home Office import licence for controlled drugs"},
	{"rough diamonds", "710210 710221 710231", "a Kimberley Process certificate"},
	{"ivory and horn", "050710 960110", "a CITES permit, and an exemption under the Ivory Act 2018"},
	{"asbestos", "2524 681280", "an exemption from the ban on asbestos"},
}

// controlled goods are common and need documents before they arrive.
var controlled = []risk{
	{"animals and their products", "01 02 03 04 0504 0511 1601 1602", "pre-notification in IPAFFS and usually a health certificate"},
	{"plants and fresh produce", "06 0702 0703 0704 0705 0709 0805 0806 0808 0809 0810", "a phytosanitary certificate, depending on their risk category"},
	{"tobacco and nicotine", "2402 2403 2404", "duty stamps or duty suspension as excise goods"},
	{"fluorinated and ozone-depleting gases", "29034 29037", "quota or an import licence"},
	{"waste", "271091 271099 382510 3915 8549", "a notification or Annex VII document for the shipment of waste"},
	{"cultures and toxins", "300249", "a licence if they are pathogens of people, animals or plants"},
	{"antiques and collections", "9705 9706", "proof of lawful export from their country of origin"},
}

func dangerousCodes(f *Filing, _ rules.Facts) remarks {
	return documentsFor(f, licensed, &licensedBy, "Get the licence before the goods are loaded. Without it customs holds them.")
}

func controlledCodes(f *Filing, _ rules.Facts) remarks {
	return documentsFor(f, controlled, &controlledBy, "Prepare it before the goods arrive.")
}

var licensedBy, controlledBy = byChapter(licensed), byChapter(controlled)

// codePrefix is a code prefix of a group.
type codePrefix struct {
	of     string
	family int
}

// byChapter indexes groups by code prefix, for each chapter.
func byChapter(families []risk) (index [100][]codePrefix) {
	for i, family := range families {
		for b := range strings.FieldsSeq(family.codes) {
			chapter, _ := strconv.Atoi(b[:chapterDigits]) // two digits
			index[chapter] = append(index[chapter], codePrefix{b, i})
		}
	}
	return index
}

// groupOf returns the group of a code.
func (n numbered) groupOf(index *[100][]codePrefix) (family int, ok bool) {
	for _, b := range index[int(n.code[0]-'0')*10+int(n.code[1]-'0')] {
		if strings.HasPrefix(n.code, b.of) {
			return b.family, true
		}
	}
	return 0, false
}

// documentsFor returns a remark for each group that has codes in the filing.
func documentsFor(f *Filing, families []risk, index *[100][]codePrefix, suggestion string) (found remarks) {
	hits := make([][]numbered, len(families))
	for code := range f.fullCodes() {
		if i, ok := code.groupOf(index); ok {
			hits[i] = append(hits[i], code)
		}
	}
	for i, family := range families {
		if len(hits[i]) > 0 {
			found = append(found, rules.Remark{
				Field:      hits[i][0].field(),
				Message:    fmt.Sprintf("%s: %s need %s.", names(hits[i]), family.goods, family.needs),
				Suggestion: suggestion,
			})
		}
	}
	return found
}

// priorityList is the Common High Priority List as at February 2024, by subheading.
var priorityList = wordSet(`847150 847180 848210 848220 848230 848250 848610 848620 848640 845710 845811 845891 845961 846693
	850440 851762 851769 852589 852691 852910 852990 853221 853224 853400 853669 853690 854110 854121 854129 854130 854149 854151 854159 854160
	854231 854232 854233 854239 854320 854800 880730 901310 901380 901420 901480 902750 903020 903032 903039 903082`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// highPriority is a note for imports, because these are everyday goods, and a warning for goods in transit to a country on
// a known route to Russia.
func highPriority(f *Filing, _ rules.Facts) remarks {
	var hits []numbered
	for code := range f.fullCodes() {
		if priorityList[code.code[:subheading]] {
			hits = append(hits, code)
		}
	}
	if len(hits) == 0 {
		return nil
	}
	to := f.unloading()
	remark := rules.Remark{
		Field:      hits[0].field(),
		Message:    fmt.Sprintf("On the Common High Priority List: %s.", names(hits)),
		Suggestion: "Identify the end user, and resell only with a clause that prohibits re-export to Russia and Belarus.",
	}
	if f.regime() == otherRegime && sanction.Against(string(to.country)).Level != sanction.None {
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("On the Common High Priority List, in transit to %s: %s.", to.text, names(hits))
	}
	return remarks{remark}
}

// preciseChapters lists chapters where one word seldom distinguishes harmless goods from others.
var preciseChapters = strings.Fields("28 29 36 84 85 88 90 93")

func oneWord(f *Filing, _ rules.Facts) remarks {
	text := f.description()
	if words := goods.Words(text); len(words) != 1 || goods.Vague(text) || len([]rune(text)) < shortestDescription {
		return nil
	}
	for code := range f.fullCodes() {
		if slices.Contains(preciseChapters, code.chapter()) {
			return rules.Remarks(fmt.Sprintf("%q is only one word for goods of chapter %s.", f.GoodsDescription, code.chapter()), "Add type and use, and for chemicals the CAS number or purity.")
		}
	}
	return nil
}
