package emcs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Import reads the draft of another system. The data set is the whole content; the movement has only what the data set does not say in a field of its own: the
// category and the type of the movement. The header is left out, because this service makes it. Errors are those of hmrc.Decode, and
// hmrc.ErrMessage for another message than an IE815.
func Import(data []byte) (*Movement, hmrc.Message, error) {
	m, err := hmrc.Decode(data)
	if err != nil {
		return nil, hmrc.Message{}, err
	}
	if m.Kind != hmrc.Draft {
		return nil, hmrc.Message{}, fmt.Errorf("%w here: the file is an %s, not an %s", hmrc.ErrMessage, m.Kind, hmrc.Draft)
	}
	m.Header = hmrc.Header{}
	short := Summary(m.Body)
	return &Movement{Category: short.Category, Route: short.Route}, m, nil
}

// Summary returns the flat fields that a data set says, for lists and searches. Of several items it has the product of the first, but neither quantities nor packages.
func Summary(body *hmrc.Element) *Movement {
	first := body.At("BodyEadEsad")
	m := &Movement{
		DispatcherName: body.Value("ConsignorTrader", "TraderName"), DispatcherNumber: body.Value("ConsignorTrader", "TraderExciseNumber"),
		ConsigneeName: body.Value("ConsigneeTrader", "TraderName"), ConsigneeNumber: body.Value("ConsigneeTrader", "Traderid"),
		ProductCode: first.Value("ExciseProductCode"), ProductDescription: first.Value("CommercialDescription"),
		VehicleReg: body.Value("TransportDetails", "IdentityOfTransportUnits"), JourneyDays: journeyDays(body.Value("HeaderEadEsad", "JourneyTime")),
		DispatchAt: dispatchAt(body.At("EadEsadDraft")),
	}
	m.Category, m.Route = categoryOf(m.ProductCode), routeOf(body)
	if entries(body, "BodyEadEsad") == 1 {
		m.summariseItem(first)
	}
	return m
}

func entries(e *hmrc.Element, list string) (n int) {
	for range e.All(list) {
		n++
	}
	return n
}

// summariseItem adds quantities and packages.
func (m *Movement) summariseItem(item *hmrc.Element) {
	var litre, strength quantity.Number
	if all := m.products(); len(all) == 1 && all[0].unit == litres && readNumber(item.Value("Quantity"), &litre) {
		m.Litres = &litre
	}
	var mass quantity.Mass
	if mass.UnmarshalJSON([]byte(item.Value("NetMass"))) == nil {
		m.Kilograms = &mass
	}
	if readNumber(item.Value("AlcoholicStrengthByVolumeInPercentage"), &strength) {
		m.Strength = &strength
	}
	if entries(item, "Package") != 1 {
		return
	}
	m.PackageType = item.Value("Package", "KindOfPackages")
	if n, err := strconv.ParseInt(item.Value("Package", "NumberOfPackages"), 10, 64); err == nil {
		m.Packages = &n
	}
}

func readNumber(text string, into *quantity.Number) bool {
	return text != "" && into.UnmarshalJSON([]byte(text)) == nil
}

// categoryOf returns the category of an excise product; empty for an unknown one.
func categoryOf(code string) Category {
	if all := byCode[code]; len(all) == 1 {
		return all[0].category
	}
	return ""
}

// routeOf returns the type of the movement: an export, a movement from the EU if the consignor is there, and else one within the UK; empty without a consignor. A movement from the UK
// to the EU is an export for this Hub.
func routeOf(body *hmrc.Element) Route {
	from, to := body.Value("ConsignorTrader", "TraderExciseNumber"), body.Value("ConsigneeTrader", "Traderid")
	switch {
	case from == "":
		return ""
	case !beginsUK(from):
		return FromUnion
	case body.Value("HeaderEadEsad", "DestinationTypeCode") == toExport, to != "" && !beginsUK(to):
		return Export
	}
	return Domestic
}

func beginsUK(number string) bool {
	return strings.HasPrefix(number, "GB") || strings.HasPrefix(number, "XI")
}

// journeyDays reads a journey time in days; nil for hours and other forms.
func journeyDays(text string) *int64 {
	days, found := strings.CutPrefix(text, "D")
	n, err := strconv.ParseInt(days, 10, 64)
	if !found || err != nil {
		return nil
	}
	return &n
}

// dispatchAt reads the date and time of dispatch in London; nil without a date.
func dispatchAt(draft *hmrc.Element) *time.Time {
	clock := draft.Value("TimeOfDispatch")
	if clock == "" {
		clock = "00:00:00"
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05", draft.Value("DateOfDispatch")+" "+clock, calendar.London())
	if err != nil {
		return nil
	}
	at = at.UTC()
	return &at
}
