package inventory

import (
	"encoding/xml"
	"regexp"
	"time"
)

// Namespace is the XML namespace of all messages.
const Namespace = "http://gov.uk/customs/inventoryLinking/v1"

// Message codes of requests.
const (
	CodeAnticipated = "EAA" // goods are expected
	CodeArrival     = "EAL"
	CodeDeparture   = "EDL"
	CodeAssociate   = "EAC" // a UCR with a master UCR, or take it out
	CodeShut        = "CST" // a master UCR
)

// Types of a UCR.
const (
	TypeDeclaration = "D"
	TypeMaster      = "M"
)

// Limits of the schema, in characters.
const (
	MaxLocation     = 17
	MaxTransportID  = 35
	MaxReference    = 25
	MaxShedOperator = 3
	MaxUCR          = 35
)

// UCRPattern is the form of a UCR in the schema. It is anchored, for JSON schemas too.
const UCRPattern = `^([0-9][A-Z][A-Z][0-9A-Z()\-/]{6,32}|GB/[0-9A-Z]{3,4}-[0-9A-Z]{5,28}|GB/[0-9A-Z]{9,12}-[0-9A-Z]{1,23}|A:[0-9A-Z]{3}[0-9]{8}|C:[A-Z]{3}[0-9A-Z]{3,30})$`

// PartPattern is the form of the part number of a UCR.
const PartPattern = `^[0-9]{0,3}[A-Z]?$`

var (
	ucrForm  = regexp.MustCompile(UCRPattern)
	partForm = regexp.MustCompile(PartPattern)
)

// IsUCR reports whether a text has the form of a UCR.
func IsUCR(text string) bool { return len(text) <= MaxUCR && ucrForm.MatchString(text) }

// UCR is a unique consignment reference with its part and its type.
type UCR struct {
	Number string `xml:"ucr"`
	Part   string `xml:"ucrPartNo,omitempty"`
	Type   string `xml:"ucrType"`
}

// Transport is the means of transport of a departure.
type Transport struct {
	ID          string `xml:"transportID,omitempty"`
	Mode        string `xml:"transportMode,omitempty"`        // as DE 7/4
	Nationality string `xml:"transportNationality,omitempty"` // country code
}

// IsZero reports whether nothing is known.
func (t Transport) IsZero() bool { return t == Transport{} }

// Request is a movement request or a consolidation request, by its message code.
type Request struct {
	Code         string
	UCR          UCR       // zero if there is none
	Location     string    // of the goods: country, type, qualifier and name, such as GBAUDVRDOVDVR
	ArrivesAt    time.Time // of an arrival; zero for none
	DepartsAt    time.Time // of a departure; zero for none
	ShedOperator string
	MasterUCR    string
	Reference    string // of the sender, which HMRC repeats; movement requests only
	Transport    Transport
}

// IsConsolidation reports whether the request is about a consolidation and not about a movement.
func (r *Request) IsConsolidation() bool { return r.Code == CodeAssociate || r.Code == CodeShut }

type movementRequest struct {
	XMLName      xml.Name   `xml:"http://gov.uk/customs/inventoryLinking/v1 inventoryLinkingMovementRequest"`
	Code         string     `xml:"messageCode"`
	UCR          UCR        `xml:"ucrBlock"`
	Location     string     `xml:"goodsLocation"`
	ArrivesAt    string     `xml:"goodsArrivalDateTime,omitempty"`
	DepartsAt    string     `xml:"goodsDepartureDateTime,omitempty"`
	ShedOperator string     `xml:"shedOPID,omitempty"`
	MasterUCR    string     `xml:"masterUCR,omitempty"`
	Reference    string     `xml:"movementReference,omitempty"`
	Transport    *Transport `xml:"transportDetails"`
}

type consolidationRequest struct {
	XMLName   xml.Name `xml:"http://gov.uk/customs/inventoryLinking/v1 inventoryLinkingConsolidationRequest"`
	Code      string   `xml:"messageCode"`
	MasterUCR string   `xml:"masterUCR,omitempty"`
	UCR       *UCR     `xml:"ucrBlock"`
}

// Encode writes the request. The caller has checked that its values fit the schema.
func (r *Request) Encode() (string, error) {
	var message any
	if r.IsConsolidation() {
		m := consolidationRequest{Code: r.Code, MasterUCR: r.MasterUCR}
		if r.UCR != (UCR{}) {
			m.UCR = &r.UCR
		}
		message = m
	} else {
		m := movementRequest{
			Code: r.Code, UCR: r.UCR, Location: r.Location, ArrivesAt: instant(r.ArrivesAt), DepartsAt: instant(r.DepartsAt),
			ShedOperator: r.ShedOperator, MasterUCR: r.MasterUCR, Reference: r.Reference,
		}
		if !r.Transport.IsZero() {
			m.Transport = &r.Transport
		}
		message = m
	}
	body, err := xml.Marshal(message)
	return xml.Header + string(body), err
}

// timeForm is xs:dateTime in UTC and whole seconds, as HMRC's own service writes it.
const timeForm = "2006-01-02T15:04:05Z"

func instant(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(timeForm)
}

// ParseTime reads an xs:dateTime. HMRC's samples have none but UTC, partly without a time zone.
func ParseTime(text string) (at time.Time, ok bool) {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), true
		}
	}
	return at, false
}
