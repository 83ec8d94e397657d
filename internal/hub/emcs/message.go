package emcs

import (
	"fmt"
	"strings"
	"time"

	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// shortForm is a flat field of a movement that stands for an element of the IE815.
type shortForm struct {
	field string
	path  string                 // below the element in Body
	text  func(*Movement) string // as the IE815 has it; empty if the field is not given or says nothing that EMCS can read
}

const (
	draftName = "SubmittedDraftOfEADESAD"
	item      = "BodyEadEsad/"
)

// shortForms are all flat fields with an element of their own. The category, the type of the movement and the consignee's country have none.
var shortForms = []shortForm{
	{"dispatcherName", "ConsignorTrader/TraderName", func(m *Movement) string { return strings.TrimSpace(m.DispatcherName) }},
	{"dispatcherExciseNumber", "ConsignorTrader/TraderExciseNumber", func(m *Movement) string { return numberText(m.DispatcherNumber) }},
	{"consigneeName", "ConsigneeTrader/TraderName", func(m *Movement) string { return strings.TrimSpace(m.ConsigneeName) }},
	{"consigneeExciseNumber", "ConsigneeTrader/Traderid", func(m *Movement) string { return numberText(m.ConsigneeNumber) }},
	{"productCode", item + "ExciseProductCode", productText},
	{"productDescription", item + "CommercialDescription", func(m *Movement) string { return strings.TrimSpace(m.ProductDescription) }},
	{"quantityLitres", item + "Quantity", func(m *Movement) string { return quantityText(m, litres) }},
	{"quantityKg", item + "Quantity", func(m *Movement) string { return quantityText(m, kilograms) }},
	{"quantityKg", item + "NetMass", func(m *Movement) string { return m.kilograms().text }},
	{"alcoholAbv", item + "AlcoholicStrengthByVolumeInPercentage", strengthText},
	{"packageType", item + "Package/KindOfPackages", packageText},
	{"numberOfPackages", item + "Package/NumberOfPackages", countText},
	{"vehicleReg", "TransportDetails/IdentityOfTransportUnits", func(m *Movement) string { return strings.TrimSpace(m.VehicleReg) }},
	{"expectedJourneyTime", "HeaderEadEsad/JourneyTime", journeyText},
	{"scheduledDispatchAt", "EadEsadDraft/DateOfDispatch", func(m *Movement) string { return dispatchText(m, time.DateOnly) }},
	{"scheduledDispatchAt", "EadEsadDraft/TimeOfDispatch", func(m *Movement) string { return dispatchText(m, time.TimeOnly) }},
}

// numberText is an excise number without spaces and in capitals; another text stays, for the checks.
func numberText(text string) string {
	if n, err := parseExciseNumber(text); err == nil {
		return string(n)
	}
	return strings.TrimSpace(text)
}

// productText is the excise product code; a commodity code is none.
func productText(m *Movement) string {
	if code := m.code(); !tariffCode.MatchString(code) {
		return code
	}
	return ""
}

// quantityText is the quantity if the product is counted in a unit.
func quantityText(m *Movement, in unit) string {
	all := m.products()
	if len(all) == 0 || anyProduct(all, func(p product) bool { return p.unit != in }) {
		return ""
	}
	if in == litres {
		return m.litres().text
	}
	return m.kilograms().text
}

func strengthText(m *Movement) string {
	if m.Strength == nil {
		return ""
	}
	return m.Strength.String()
}

func packageText(m *Movement) string {
	if strings.TrimSpace(m.PackageType) == "" {
		return ""
	}
	code, _ := m.packagingCode()
	return code
}

func countText(m *Movement) string {
	if m.Packages == nil {
		return ""
	}
	return fmt.Sprint(*m.Packages)
}

// maxJourneyDays is the greatest number of days that the form of the journey time has room for.
const maxJourneyDays = 92

// journeyText is the journey time in days. A journey of 0 days is given in hours, which the flat field does not have.
func journeyText(m *Movement) string {
	if m.JourneyDays == nil || *m.JourneyDays < 1 || *m.JourneyDays > maxJourneyDays {
		return ""
	}
	return fmt.Sprintf("D%02d", *m.JourneyDays)
}

// dispatchText is the day or the time of dispatch in London.
func dispatchText(m *Movement, layout string) string {
	if m.DispatchAt == nil {
		return ""
	}
	return m.DispatchAt.In(calendar.London()).Format(layout)
}

// Conflict is a fact that is given in a flat field and in the data set.
type Conflict struct {
	Field   string // flat
	Message string // field of the data set
}

// Conflicts returns the facts that a movement gives twice. Flat fields of the goods are one item, so that they conflict with a data set of several.
func Conflicts(m *Movement, given *hmrc.Element) []Conflict {
	var found []Conflict
	for _, s := range shortForms {
		if s.text(m) == "" {
			continue
		}
		if s.entries(given) > 1 || given.At(strings.Split(s.path, "/")...) != nil {
			found = append(found, Conflict{Field: s.field, Message: s.messageField()})
		}
	}
	return found
}

// entries is the number of entries of the list that the path leads through: items, packages or transport details.
func (s shortForm) entries(given *hmrc.Element) (most int) {
	at := given
	for step := range strings.SplitSeq(s.path, "/") {
		n := 0
		for range at.All(step) {
			n++
		}
		most, at = max(most, n), at.At(step)
	}
	return most
}

// messageField is the field of the data set.
func (s shortForm) messageField() string {
	at := "/urn:IE815[1]/urn:Body[1]/urn:" + draftName + "[1]"
	for step := range strings.SplitSeq(s.path, "/") {
		at += "/urn:" + step + "[1]"
	}
	return hmrc.Field(at)
}

// FlatField returns the field of a record that HMRC means by a location in an IE815: the flat field if the fact has one and the data set does not give it,
// else the field of the data set; empty for a location that is not known.
func FlatField(location string, given *hmrc.Element) string {
	field := hmrc.Field(location)
	for _, s := range shortForms {
		if field == s.messageField() && given.At(strings.Split(s.path, "/")...) == nil {
			return s.field
		}
	}
	return field
}
