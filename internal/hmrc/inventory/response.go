package inventory

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
)

// Kinds of answers: the names of their root elements.
const (
	ControlResponse  = "inventoryLinkingControlResponse"
	MovementResponse = "inventoryLinkingMovementResponse"
	TotalsResponse   = "inventoryLinkingMovementTotalsResponse"
	QueryResponse    = "inventoryLinkingQueryResponse"
)

// Action codes of a control response. Source: HMRC, service for arrivals and departures of exports, 2022.
const (
	ActionProcessed = "1"
	ActionPartly    = "2" // acknowledged and processed in part
	ActionRejected  = "3"
)

// Limits of what is kept of an answer.
const (
	maxErrors  = 99
	maxEntries = 999
)

// ErrUnknownDocument means well-formed XML that is no answer of inventory linking.
var ErrUnknownDocument = errors.New("not an answer of inventory linking")

// Response is an answer of inventory linking. What its kind does not have is empty.
type Response struct {
	Kind             string
	MessageCode      string
	ActionCode       string   `json:",omitempty"`
	Errors           []string `json:",omitempty"` // codes
	CRC              string   `json:",omitempty"`
	UCR              UCR
	Location         string `json:",omitempty"`
	ArrivedAt        string `json:",omitempty"` // xs:dateTime
	ShedOperator     string `json:",omitempty"`
	Reference        string `json:",omitempty"` // of the sender of the request
	MasterUCR        string `json:",omitempty"`
	MasterROE        string `json:",omitempty"`
	MasterSOE        string `json:",omitempty"`
	DeclarationCount string `json:",omitempty"`
	Status           Status
	Entries          []Entry `json:",omitempty"`
}

// Status is the status of an entry: its state in inventory control (ICS), its route (ROE) and its status (SOE).
type Status struct {
	ICS string `xml:"ics,omitempty" json:",omitempty"`
	ROE string `xml:"roe,omitempty" json:",omitempty"`
	SOE string `xml:"soe,omitempty" json:",omitempty"`
}

// Entry is one entry of movement totals.
type Entry struct {
	UCR    UCR    `xml:"ucrBlock"`
	Status Status `xml:"entryStatus"`
}

// Decode reads an answer. It fails if the message is not well-formed, too large, too deep or has a document type definition, and
// with ErrUnknownDocument for other documents. It is lenient with values, because HMRC does not send a delivered message again.
func Decode(data []byte) (Response, error) {
	root, err := read(data)
	if err != nil {
		return Response{}, fmt.Errorf("inventory: decode: %w", err)
	}
	kinds := []string{ControlResponse, MovementResponse, TotalsResponse, QueryResponse}
	at := slices.IndexFunc(kinds, root.Is)
	if at < 0 {
		return Response{}, fmt.Errorf("inventory: decode: %w: %s %s", ErrUnknownDocument, root.Name.Space, root.Name.Local)
	}
	r := Response{
		Kind: kinds[at], MessageCode: text(root, "messageCode"), ActionCode: text(root, "actionCode"), CRC: text(root, "crc"),
		Location: text(root, "goodsLocation"), ArrivedAt: text(root, "goodsArrivalDateTime"), ShedOperator: text(root, "shedOPID"),
		Reference: text(root, "movementReference"), MasterUCR: text(root, "masterUCR"), MasterROE: text(root, "masterROE"), MasterSOE: text(root, "masterSOE"),
		DeclarationCount: text(root, "declarationCount"), Status: statusOf(root), UCR: ucrOf(root.At("ucrBlock")),
	}
	if r.Kind == ControlResponse {
		r.UCR = ucrOf(root.At("ucr"))
	}
	for e := range root.All("error") {
		if code := text(e, "errorCode"); code != "" && len(r.Errors) < maxErrors {
			r.Errors = append(r.Errors, code)
		}
	}
	for e := range root.All("entry") {
		if len(r.Entries) < maxEntries {
			r.Entries = append(r.Entries, Entry{UCR: ucrOf(e.At("ucrBlock")), Status: statusOf(e)})
		}
	}
	return r, nil
}

func statusOf(e *xmltree.Element) Status {
	s := e.At("entryStatus")
	return Status{ICS: text(s, "ics"), ROE: text(s, "roe"), SOE: text(s, "soe")}
}

func ucrOf(e *xmltree.Element) UCR {
	return UCR{Number: text(e, "ucr"), Part: text(e, "ucrPartNo"), Type: text(e, "ucrType")}
}

// The answers in the order of the schema.
type (
	controlResponse struct {
		XMLName   xml.Name     `xml:"http://gov.uk/customs/inventoryLinking/v1 inventoryLinkingControlResponse"`
		Code      string       `xml:"messageCode"`
		Action    string       `xml:"actionCode"`
		UCR       *UCR         `xml:"ucr"`
		Reference string       `xml:"movementReference,omitempty"`
		Errors    []errorBlock `xml:"error"`
	}
	errorBlock struct {
		Code string `xml:"errorCode"`
	}
	movementResponse struct {
		XMLName      xml.Name `xml:"http://gov.uk/customs/inventoryLinking/v1 inventoryLinkingMovementResponse"`
		Code         string   `xml:"messageCode"`
		CRC          string   `xml:"crc,omitempty"`
		ArrivedAt    string   `xml:"goodsArrivalDateTime,omitempty"`
		Location     string   `xml:"goodsLocation,omitempty"`
		ShedOperator string   `xml:"shedOPID,omitempty"`
		Reference    string   `xml:"movementReference,omitempty"`
		UCR          *UCR     `xml:"ucrBlock"`
		Status       *Status  `xml:"entryStatus"`
	}
	totalsResponse struct {
		XMLName      xml.Name `xml:"http://gov.uk/customs/inventoryLinking/v1 inventoryLinkingMovementTotalsResponse"`
		Code         string   `xml:"messageCode"`
		CRC          string   `xml:"crc,omitempty"`
		Location     string   `xml:"goodsLocation"`
		MasterUCR    string   `xml:"masterUCR,omitempty"`
		Count        string   `xml:"declarationCount,omitempty"`
		ArrivedAt    string   `xml:"goodsArrivalDateTime,omitempty"`
		ShedOperator string   `xml:"shedOPID,omitempty"`
		Reference    string   `xml:"movementReference,omitempty"`
		MasterROE    string   `xml:"masterROE,omitempty"`
		MasterSOE    string   `xml:"masterSOE,omitempty"`
		Entries      []Entry  `xml:"entry"`
	}
)

// Encode writes an answer, for a simulator.
func (r *Response) Encode() (string, error) {
	var message any
	ucr, status := &r.UCR, &r.Status
	if *ucr == (UCR{}) {
		ucr = nil
	}
	if *status == (Status{}) {
		status = nil
	}
	switch r.Kind {
	case ControlResponse:
		m := controlResponse{Code: r.MessageCode, Action: r.ActionCode, UCR: ucr, Reference: r.Reference}
		for _, code := range r.Errors {
			m.Errors = append(m.Errors, errorBlock{code})
		}
		message = m
	case MovementResponse:
		message = movementResponse{
			Code: r.MessageCode, CRC: r.CRC, ArrivedAt: r.ArrivedAt, Location: r.Location, ShedOperator: r.ShedOperator, Reference: r.Reference, UCR: ucr, Status: status,
		}
	case TotalsResponse:
		message = totalsResponse{
			Code: r.MessageCode, CRC: r.CRC, Location: r.Location, MasterUCR: r.MasterUCR, Count: r.DeclarationCount, ArrivedAt: r.ArrivedAt, ShedOperator: r.ShedOperator,
			Reference: r.Reference, MasterROE: r.MasterROE, MasterSOE: r.MasterSOE, Entries: r.Entries,
		}
	default:
		return "", fmt.Errorf("inventory: encode: unknown kind %q", r.Kind)
	}
	body, err := xml.Marshal(message)
	return xml.Header + string(body), err
}
