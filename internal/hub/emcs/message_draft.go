package emcs

import (
	"slices"
	"strings"
	"time"

	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
)

// Draft returns the body of the IE815 of a movement: its data set (nil if it has none), completed by the flat fields, by the LRN if the data set has none, and
// by what follows from these:
//
//   - the origin and the type of the submission from the role in the consignor's number: GBWK and XIWK tax warehouse, GBRC and XIRC import,
//     XIPA and XIPC duty paid (rules 8552, 8553, 8716 and 8717);
//   - the destination tax warehouse or export from the type of the movement;
//   - a vehicle as the transport unit of a vehicle registration, and the number 1 of the item of the flat fields;
//   - English as the language of the flat fields.
func Draft(m *Movement, given *hmrc.Element, lrn string) *hmrc.Element {
	body := given.Clone()
	if body == nil {
		body = hmrc.Group(draftName)
	}
	for _, s := range shortForms {
		complete(body, s.path, s.text(m))
	}
	complete(body, "EadEsadDraft/LocalReferenceNumber", lrn)
	for _, d := range m.derived(body) {
		complete(body, d.path, d.text)
	}
	return body
}

// derivation is an element that follows from others.
type derivation struct{ path, text string }

func (m *Movement) derived(body *hmrc.Element) []derivation {
	origin, submission := originOf(body.Value("ConsignorTrader", "TraderExciseNumber"))
	all := []derivation{{"Attributes/SubmissionMessageType", submission}, {"EadEsadDraft/OriginTypeCode", origin}}
	switch m.Route {
	case Export:
		all = append(all, derivation{"HeaderEadEsad/DestinationTypeCode", toExport})
	case Domestic, FromUnion:
		all = append(all, derivation{"HeaderEadEsad/DestinationTypeCode", toWarehouse})
	}
	if body.At("BodyEadEsad") != nil {
		all = append(all, derivation{item + "BodyRecordUniqueReference", "1"})
	}
	if strings.TrimSpace(m.VehicleReg) != "" {
		all = append(all, derivation{"TransportDetails/TransportUnitCode", vehicleUnit})
	}
	return all
}

// Codes of the IE815.
const (
	toWarehouse = "1"
	toExport    = "6"
	vehicleUnit = "2"
)

// originOf returns the codes of the origin and of the submission for a consignor; empty for an unknown role.
func originOf(consignor string) (origin, submission string) {
	if len(consignor) < 4 {
		return "", ""
	}
	switch consignor[2:4] {
	case "WK":
		return "1", "1"
	case "RC":
		return "2", "1"
	case "PA", "PC":
		return "3", "3"
	}
	return "", ""
}

// withLanguage are the groups and texts of the short forms that have a language.
var withLanguage = []string{"ConsignorTrader", "ConsigneeTrader", "CommercialDescription"}

// complete sets the text at a path unless it is there. It does not touch a data set with several items.
func complete(body *hmrc.Element, path, text string) {
	if text == "" || (shortForm{path: path}).entries(body) > 1 {
		return
	}
	at := body
	for step := range strings.SplitSeq(path, "/") {
		next := at.At(step)
		if next == nil {
			next = &hmrc.Element{Name: step}
			at.Add(next)
			if slices.Contains(withLanguage, step) {
				next.Language = "en"
			}
		}
		at = next
	}
	if at.Text == "" {
		at.Text = text
	}
}

// Document returns the XML of the IE815 of a movement, with a header that this service makes. The identifier is that of the message.
func Document(m *Movement, given *hmrc.Element, lrn string, v hmrc.Version, at time.Time, identifier string) ([]byte, error) {
	body := Draft(m, given, lrn)
	header := hmrc.Between(body.Value("ConsignorTrader", "TraderExciseNumber"), body.Value("ConsigneeTrader", "Traderid"), at, identifier)
	return hmrc.Encode(hmrc.Message{Kind: hmrc.Draft, Version: v, Header: header, Body: body})
}

// Missing is what a movement lacks for an IE815.
type Missing struct {
	Number   int    // of HMRC's rule; 0 if the schema needs the field
	Location string // as EMCS writes it
	Field    string // flat if there is a flat field, else of the data set
	Reason   string
}

// MissingFields returns what the IE815 of a movement lacks, by HMRC's schema and rules. Other findings of the rules are not among them.
func MissingFields(m *Movement, given *hmrc.Element, lrn string, v hmrc.Version, now time.Time) []Missing {
	whole := hmrc.Message{Kind: hmrc.Draft, Version: v, Body: Draft(m, given, lrn)}
	var all []Missing
	for _, f := range rulebook.Check(whole, now) {
		if f.Missing {
			all = append(all, Missing{Number: f.Number, Location: f.Location, Field: flatOf(f.Field), Reason: f.Message})
		}
	}
	return all
}

// flatOf returns the flat field that stands for a field of the data set, or the field itself.
func flatOf(field string) string {
	for _, s := range shortForms {
		if field == s.messageField() {
			return s.field
		}
	}
	return field
}
