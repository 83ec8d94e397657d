package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// rule is one of HMRC's rules on a message, or on every entry of a list of it.
type rule struct {
	number int
	list   string // path of the list, such as BodyEadEsad/Package; empty for the whole message
	at     string // path of HMRC's location below the whole or the entry; empty for itself
	lacks  string // path below at that our field adds: HMRC points to the parent of what is missing
	broken func(f *facts, e *emcs.Element) bool
	text   string
}

// rules are those of each message that a trader may send.
var rules = map[emcs.Kind][]rule{
	emcs.Draft:             slices.Concat(draftRules, draftPartyRules, draftPlaceRules, draftGoodsRules, dutyPaidRules),
	emcs.DestinationChange: slices.Concat(changeRules, changeGuaranteeRules),
	emcs.Receipt:           receiptRules,
	emcs.Alert:             alertRules,
	emcs.Delay:             delayRules,
	emcs.Shortage:          shortageRules,
	emcs.Cancellation:      cancellationRules,
}

// maxFindings bounds the findings of the rules on one message.
const maxFindings = 500

// Check returns the findings of the schema and of HMRC's rules, those of the schema first, the others by number; at most 500 of each. The time decides which
// dates are past.
func Check(m emcs.Message, now time.Time) []emcs.Finding {
	found := emcs.Check(m)
	if m.Body == nil {
		return found
	}
	f := factsOf(m, now)
	var broken []emcs.Finding
	for _, r := range rules[m.Kind] {
		broken = append(broken, r.check(f)...)
	}
	sorting.Stable(broken, func(a, b emcs.Finding) int { return cmp.Compare(a.Number, b.Number) })
	return append(found, broken[:min(len(broken), maxFindings)]...)
}

// Numbers returns the numbers of the rules on a message that this package checks.
func Numbers(kind emcs.Kind) []int {
	var numbers []int
	for _, r := range rules[kind] {
		numbers = append(numbers, r.number)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

func (r rule) check(f *facts) []emcs.Finding {
	if r.list == "" {
		if r.broken(f, f.body) {
			return []emcs.Finding{r.finding(f, nil)}
		}
		return nil
	}
	return r.entries(f, f.body, strings.Split(r.list, "/"), nil)
}

// entries checks the entries of a list below an element, which is at a place.
func (r rule) entries(f *facts, e *emcs.Element, list, at []string) (found []emcs.Finding) {
	if len(list) == 0 {
		if r.broken(f, e) {
			found = append(found, r.finding(f, at))
		}
		return found
	}
	n := 0
	for child := range e.All(list[0]) {
		if n++; len(found) >= maxFindings {
			break
		}
		found = append(found, r.entries(f, child, list[1:], append(slices.Clip(at), fmt.Sprintf("%s[%d]", list[0], n)))...)
	}
	return found
}

func (r rule) finding(f *facts, at []string) emcs.Finding {
	location := f.message.Location(append(slices.Clip(at), steps(r.at)...)...)
	field := location
	for _, step := range steps(r.lacks) {
		field += "/urn:" + step + "[1]"
	}
	return emcs.Finding{Number: r.number, Location: location, Field: emcs.Field(field), Message: r.text, Missing: r.lacks != ""}
}

func steps(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// facts are what several rules ask of a message.
type facts struct {
	message     emcs.Message
	body        *emcs.Element
	today       string // in London, such as 2026-11-27
	inAWeek     string
	destination string        // code of the type
	consignee   *emcs.Element // of IE813 the new one
	to          string        // identification of the consignee
	place       *emcs.Element // of delivery
	placeID     string
	office      string // of export
	guarantee   *emcs.Element
	guarantor   string // code of the type
	mode        string // of transport

	// of IE815
	submission, origin, from, warehouse, importOffice, dispatchOffice string
	consignor, dispatch                                               *emcs.Element
	packed                                                            map[string]bool // shipping marks of counted packages

	country string // of the ARC
}

func factsOf(m emcs.Message, now time.Time) *facts {
	b := m.Body
	london := now.In(calendar.London())
	f := &facts{message: m, body: b, today: london.Format(time.DateOnly), inAWeek: london.AddDate(0, 0, 7).Format(time.DateOnly)}
	switch m.Kind {
	case emcs.Draft:
		f.draft(b)
	case emcs.DestinationChange:
		f.change(b)
	default:
		f.consignee, f.consignor, f.place = b.At("ConsigneeTrader"), b.At("ConsignorTrader"), b.At("DeliveryPlaceTrader")
	}
	f.to, f.placeID, f.guarantor = f.consignee.Value("Traderid"), f.place.Value("Traderid"), f.guarantee.Value("GuarantorTypeCode")
	f.from = f.consignor.Value("TraderExciseNumber")
	return f
}

func (f *facts) draft(b *emcs.Element) {
	f.packed = packedMarks(b)
	f.submission, f.origin = get(b, "Attributes/SubmissionMessageType"), get(b, "EadEsadDraft/OriginTypeCode")
	f.consignor, f.consignee, f.dispatch, f.place = b.At("ConsignorTrader"), b.At("ConsigneeTrader"), b.At("PlaceOfDispatchTrader"), b.At("DeliveryPlaceTrader")
	f.warehouse, f.importOffice = f.dispatch.Value("ReferenceOfTaxWarehouse"), get(b, "DispatchImportOffice/ReferenceNumber")
	f.dispatchOffice, f.office = get(b, "CompetentAuthorityDispatchOffice/ReferenceNumber"), get(b, "DeliveryPlaceCustomsOffice/ReferenceNumber")
	f.destination, f.guarantee, f.mode = get(b, "HeaderEadEsad/DestinationTypeCode"), b.At("MovementGuarantee"), get(b, "TransportMode/TransportModeCode")
}

func (f *facts) change(b *emcs.Element) {
	changed := b.At("DestinationChanged")
	f.destination, f.consignee, f.place = changed.Value("DestinationTypeCode"), changed.At("NewConsigneeTrader"), changed.At("DeliveryPlaceTrader")
	f.office, f.guarantee, f.mode = changed.Value("DeliveryPlaceCustomsOffice", "ReferenceNumber"), changed.At("MovementGuarantee"), get(b, "UpdateEadEsad/TransportModeCode")
	if arc := get(b, "UpdateEadEsad/AdministrativeReferenceCode"); len(arc) > 4 {
		f.country = arc[2:4]
	}
}

// get returns the text at a path such as ConsigneeTrader/Traderid.
func get(e *emcs.Element, path string) string { return e.Value(strings.Split(path, "/")...) }

func has(e *emcs.Element, path string) bool { return e.At(strings.Split(path, "/")...) != nil }

// missing reports whether there is an element without a text at a path.
func missing(e *emcs.Element, path string) bool { return e != nil && get(e, path) == "" }

func count(e *emcs.Element, list string) (n int) {
	for range e.All(list) {
		n++
	}
	return n
}

// is reports whether a code is one of several, which are separated by spaces.
func is(code, codes string) bool { return code != "" && slices.Contains(strings.Fields(codes), code) }

// isNot reports whether there is a code that is none of several.
func isNot(code, codes string) bool {
	return code != "" && !slices.Contains(strings.Fields(codes), code)
}

// begins reports whether an identification begins with one of several prefixes.
func begins(id, prefixes string) bool {
	return slices.ContainsFunc(strings.Fields(prefixes), func(p string) bool { return strings.HasPrefix(id, p) })
}

// lacks reports whether there is an identification that begins with none of several prefixes.
func lacks(id, prefixes string) bool { return id != "" && !begins(id, prefixes) }

// uk reports whether an identification is one of Great Britain or Northern Ireland.
func uk(id string) bool { return begins(id, "GB XI") }

// foreign reports whether there is an identification that is not of the UK.
func foreign(id string) bool { return id != "" && !uk(id) }

// inBT reports whether the postcode of an address is one of Northern Ireland.
func inBT(e *emcs.Element) bool { return begins(strings.ToUpper(e.Value("Postcode")), "BT") }

// notInBT reports whether the postcode of an address is not one of Northern Ireland.
func notInBT(e *emcs.Element) bool { return e.Value("Postcode") != "" && !inBT(e) }

var exciseNumber = lazyregexp.New(`^[A-Z]{2}[a-zA-Z0-9]{11}$`)

func notERN(id string) bool { return id != "" && !exciseNumber.MatchString(id) }

// noLanguage reports whether an address has a text but no language.
func noLanguage(e *emcs.Element) bool {
	return e != nil && e.Language == "" && slices.ContainsFunc([]string{"TraderName", "StreetName", "StreetNumber", "Postcode", "City"}, func(part string) bool { return has(e, part) })
}

// repeats reports whether two entries of a list have the same text at a path.
func repeats(e *emcs.Element, list, path string) bool {
	seen := map[string]bool{}
	for entry := range e.All(list) {
		text := get(entry, path)
		if text != "" && seen[text] {
			return true
		}
		seen[text] = true
	}
	return false
}
