package ics2

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/codelist"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// shortForm is a flat field of a filing that stands for an element of the CC315A.
type shortForm struct {
	field string
	path  string               // below the root
	text  func(*Filing) string // as the CC315A has it; empty if the field is not given, or has no place there
}

const goodsItem = "GOOITEGDS"

// shortForms are all flat fields with an element of their own. The type of traffic has none.
var shortForms = []shortForm{
	{"modeOfTransport", "HEAHEA/TraModAtBorHEA76", func(f *Filing) string { return parseMode(f.ModeOfTransport) }},
	{"totalPackages", "HEAHEA/TotNumOfPacHEA306", packagesText},
	{"totalGrossMassKg", "HEAHEA/TotGroMasHEA307", massText},
	{"portOfLoading", "HEAHEA/PlaLoaGOOITE334", func(f *Filing) string { return placeText(f.loading()) }},
	{"portOfUnloading", "HEAHEA/PlaUnlGOOITE334", func(f *Filing) string { return placeText(f.unloading()) }},
	{"consignorName", "TRACONCO1/NamCO17", func(f *Filing) string { return nameText(f.ConsignorName, f.ConsignorEORI) }},
	{"consignorEori", "TRACONCO1/TINCO159", func(f *Filing) string { return eoriText(f.ConsignorEORI) }},
	{"consigneeName", "TRACONCE1/NamCE17", func(f *Filing) string { return nameText(f.ConsigneeName, f.ConsigneeEORI) }},
	{"consigneeEori", "TRACONCE1/TINCE159", func(f *Filing) string { return eoriText(f.ConsigneeEORI) }},
	{"goodsDescription", goodsItem + "/GooDesGDS23", (*Filing).description},
	{"transportDocNumber", goodsItem + "/PRODOCDC2/DocRefDC23", func(f *Filing) string { return strings.TrimSpace(f.TransportDocNumber) }},
	{"commodityCodes", goodsItem + "/COMCODGODITM/ComNomCMD1", headingText},
	{"totalPackages", goodsItem + "/PACGS2/NumOfPacGS24", packagesText},
	{"estimatedArrival", "CUSOFFFENT730/ExpDatOfArrFIRENT733", arrivalText},
	{"carrierName", "TRACARENT601/NamTRACARENT604", func(f *Filing) string { return nameText(f.CarrierName, f.CarrierEORI) }},
	{"carrierEori", "TRACARENT601/TINTRACARENT602", func(f *Filing) string { return eoriText(f.CarrierEORI) }},
}

func eoriText(text string) string { return strings.ToUpper(strings.ReplaceAll(text, " ", "")) }

// nameText is the name of a party. HMRC takes none for an EORI of Great Britain.
func nameText(name, eori string) string {
	if strings.HasPrefix(eoriText(eori), "GB") {
		return ""
	}
	return strings.TrimSpace(name)
}

func placeText(p place) string {
	if p.code != "" {
		return string(p.code)
	}
	return strings.TrimSpace(p.text)
}

func packagesText(f *Filing) string {
	if f.TotalPackages == nil || f.inBulk() {
		return ""
	}
	return fmt.Sprint(*f.TotalPackages)
}

func massText(f *Filing) string {
	if f.TotalGrossMassKg == nil {
		return ""
	}
	return f.TotalGrossMassKg.String()
}

// maxHeading is the number of digits of a commodity code that a CC315A has room for.
const maxHeading = 8

// headingText is the commodity code if there is only one: the flat fields describe one item, which has one.
func headingText(f *Filing) string {
	if len(f.CommodityCodes) != 1 {
		return ""
	}
	digits := strings.NewReplacer(" ", "", ".", "").Replace(f.CommodityCodes[0])
	return digits[:min(len(digits), maxHeading)]
}

// arrivalText is the time of arrival in GMT, as HMRC wants it.
func arrivalText(f *Filing) string {
	if f.EstimatedArrival == nil {
		return ""
	}
	return f.EstimatedArrival.UTC().Format(momentForm)
}

// momentForm is the form of a moment in HMRC's messages, in GMT.
const momentForm = "200601021504"

// Conflict is a fact that is given in a flat field and in the message.
type Conflict struct {
	Field  string // flat
	Member string // below message
}

// Conflicts returns the facts that a filing gives twice. Flat fields of the goods are those of one item, so that they are in
// conflict with a message of several.
func Conflicts(f *Filing, given *ens.Message) (found []Conflict) {
	items := given.Count(goodsItem)
	for _, s := range shortForms {
		_, twice := given.Text(s.path)
		if s.text(f) != "" && (twice || items > 1 && strings.HasPrefix(s.path, goodsItem)) {
			found = append(found, Conflict{Field: s.field, Member: s.member()})
		}
	}
	return found
}

// location is where HMRC finds the element that a flat field stands for.
func (s shortForm) location() string {
	return "/ie:" + schema.Declaration + "[1]/" + strings.ReplaceAll(s.path, "/", "[1]/") + "[1]"
}

func (s shortForm) member() string { return ens.Field(s.location()) }

// transportDocuments are the types of transport documents by mode of transport: bill of lading, consignment notes of rail and
// road, air waybill, and dispatch note of parcels.
var transportDocuments = map[string]string{
	bySea: "N705", byWaterway: "N705", byRail: "N720", byRoad: "N730", byFerry: "N730", byFerryUnmanned: "N730", byAir: "N740", byPost: "N750",
}

// Facts are what the service adds to a declaration.
type Facts struct {
	Header   ens.Header
	LRN      string
	EORI     string // of the organisation, which lodges the declaration
	Declared string // YYYYMMDDHHMM in GMT
}

// Draft returns the declaration of a filing: the message that it gives, its flat fields, and the facts of the service, which
// replace those of the message. given is not changed; it may be without content.
func Draft(f *Filing, given *ens.Message, by Facts) *ens.Message {
	drafted := given.Clone()
	drafted.Header = by.Header
	for _, s := range shortForms {
		if text := s.text(f); text != "" {
			drafted.Set(s.path, text)
		}
	}
	if text := strings.TrimSpace(f.TransportDocNumber); text != "" && codelist.Documents.Has(transportDocuments[f.carriage()]) {
		setMissing(drafted, goodsItem+"/PRODOCDC2/DocTypDC21", transportDocuments[f.carriage()])
	}
	if drafted.Count(goodsItem) <= 1 {
		setMissing(drafted, goodsItem+"/IteNumGDS7", "1")
	}
	setMissing(drafted, "HEAHEA/TotNumOfIteHEA305", fmt.Sprint(drafted.Count(goodsItem)))
	drafted.Set("HEAHEA/RefNumHEA4", by.LRN)
	drafted.Set("HEAHEA/DecDatTimHEA114", by.Declared)
	if text, ok := drafted.Text(carrier + "/TINTRACARENT602"); ok && eoriText(text) == by.EORI {
		drafted.Remove(carrier) // HMRC's rule 8195: who lodges the declaration is not named again as the carrier
	}
	drafted.Remove(lodger)
	drafted.Set(lodger+"/TINPLD1", by.EORI)
	return drafted
}

// Groups of parties.
const (
	lodger  = "PERLODSUMDEC" // who lodges the declaration: this organisation, by its EORI alone
	carrier = "TRACARENT601"
)

// Amended returns the amendment of a declaration that HMRC has accepted: the whole declaration as it should be. The header is that of
// the amendment.
func Amended(f *Filing, given *ens.Message, by Facts, mrn string) (*ens.Message, error) {
	drafted := Draft(f, given, by)
	for _, path := range []string{"HEAHEA/RefNumHEA4", "HEAHEA/DecDatTimHEA114", "HEAHEA/DecPlaHEA394", "HEAHEA/DecPlaHEA394LNG", "CUSOFFLON"} {
		drafted.Remove(path)
	}
	amended, err := ens.Parse(schema.Amendment, by.Header, drafted.JSON(), messageMember)
	if err != nil {
		return nil, err
	}
	amended.Set("HEAHEA/DocNumHEA5", mrn)
	amended.Set("HEAHEA/DatTimAmeHEA113", by.Declared)
	return amended, nil
}

func setMissing(m *ens.Message, path, text string) {
	if _, given := m.Text(path); !given {
		m.Set(path, text)
	}
}

// Finding is an error that HMRC would answer with.
type Finding struct {
	Code     string // ENS-8623: the number is HMRC's
	Number   int
	Location string // HMRC's
	Field    string // the flat field, or the member such as message.hEAHEA; "" for the declaration as a whole
	Message  string // in our words
}

// CheckGB returns what HMRC would find in a declaration that was drafted from a filing.
func CheckGB(f *Filing, drafted *ens.Message) (found []Finding) {
	for _, e := range ens.Check(drafted.XML(), verdict.New) {
		found = append(found, Finding{Code: fmt.Sprintf("ENS-%d", e.Number), Number: e.Number, Location: e.Location, Field: fieldOf(f, e.Location), Message: e.Text})
	}
	return found
}

// FieldOf is the field in which a filing gives what a location of HMRC's is about; "" for none.
func FieldOf(f *Filing, location string) string { return fieldOf(f, location) }

// Missing are the members that a declaration drafted from a filing lacks, each with a finding of HMRC's about it if there is one.
func Missing(f *Filing, drafted *ens.Message) (found []Finding) {
	members := drafted.Missing(verdict.New)
	if len(members) == 0 {
		return nil
	}
	all := CheckGB(f, drafted)
	for _, member := range members {
		missing := Finding{Field: messageMember + "." + member, Message: "is required"}
		for _, other := range all {
			if strings.HasPrefix(missing.Field, other.Field+".") && other.Field != "" {
				missing.Number, missing.Location = other.Number, other.Location
			}
		}
		found = append(found, missing)
	}
	return found
}

// fieldOf is the field in which a filing gives what a location is about.
func fieldOf(f *Filing, location string) string {
	location = strings.Replace(location, schema.Amendment, schema.Declaration, 1)
	for _, s := range shortForms {
		if s.location() == location && s.text(f) != "" {
			return s.field
		}
	}
	if member := ens.Field(location); member != "" {
		return "message." + member
	}
	return ""
}
