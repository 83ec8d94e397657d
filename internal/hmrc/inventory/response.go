package inventory

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
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
	at := slices.IndexFunc(kinds, root.is)
	if at < 0 {
		return Response{}, fmt.Errorf("inventory: decode: %w: %s %s", ErrUnknownDocument, root.name.Space, root.name.Local)
	}
	r := Response{
		Kind: kinds[at], MessageCode: root.text("messageCode"), ActionCode: root.text("actionCode"), CRC: root.text("crc"),
		Location: root.text("goodsLocation"), ArrivedAt: root.text("goodsArrivalDateTime"), ShedOperator: root.text("shedOPID"),
		Reference: root.text("movementReference"), MasterUCR: root.text("masterUCR"), MasterROE: root.text("masterROE"), MasterSOE: root.text("masterSOE"),
		DeclarationCount: root.text("declarationCount"), Status: statusOf(root), UCR: ucrOf(root.at("ucrBlock")),
	}
	if r.Kind == ControlResponse {
		r.UCR = ucrOf(root.at("ucr"))
	}
	for e := range root.all("error") {
		if code := e.text("errorCode"); code != "" && len(r.Errors) < maxErrors {
			r.Errors = append(r.Errors, code)
		}
	}
	for e := range root.all("entry") {
		if len(r.Entries) < maxEntries {
			r.Entries = append(r.Entries, Entry{UCR: ucrOf(e.at("ucrBlock")), Status: statusOf(e)})
		}
	}
	return r, nil
}

func statusOf(e *element) Status {
	s := e.at("entryStatus")
	return Status{ICS: s.text("ics"), ROE: s.text("roe"), SOE: s.text("soe")}
}

func ucrOf(e *element) UCR {
	return UCR{Number: e.text("ucr"), Part: e.text("ucrPartNo"), Type: e.text("ucrType")}
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
