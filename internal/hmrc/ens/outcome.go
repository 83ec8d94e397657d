package ens

import (
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
)

// Outcome is HMRC's decision on a declaration or amendment after its receipt, or later on its goods.
type Outcome struct {
	*Message
	LRN           string // of the declaration; "" for amendments
	MRN           string // "" if a declaration was rejected
	Errors        []FunctionalError
	Interventions []DoNotLoad
}

// Accepted reports whether HMRC accepted the declaration or amendment.
func (o *Outcome) Accepted() bool {
	return o.Name == schema.DeclarationAccepted || o.Name == schema.AmendmentAccepted
}

// FunctionalError is a reason of a rejection.
type FunctionalError struct {
	Type     string // two digits, such as 12 for a wrong value
	Pointer  string // the place in the declaration, in HMRC's words
	Reason   string // "" if HMRC gives none
	Original string // the value that is wrong, if any
}

// DoNotLoad is an instruction not to load the goods of an item, or of the whole declaration.
type DoNotLoad struct {
	Item string // "" for the whole declaration
	Code string
	Text string
}

// outcomeNames are the messages that HMRC sends.
var outcomeNames = []string{schema.DeclarationAccepted, schema.DeclarationRejected, schema.AmendmentAccepted, schema.AmendmentRejected, schema.Intervention}

// envelopes are the elements in which HMRC sends outcomes and notifications, without a namespace.
var envelopes = []string{"outcomeResponse", "notificationResponse"}

// ReadOutcome reads an outcome or a notification (CC304A, CC305A, CC316A, CC328A, CC351A), in HMRC's envelope or alone. It does
// not check it against the schema, since what HMRC sends must be read. The error is that of Read.
func ReadOutcome(document []byte) (*Outcome, error) {
	root, err := element.Read(document)
	if err != nil {
		return nil, err
	}
	for _, envelope := range envelopes {
		if root.Name == (safexml.Name{Local: envelope}) {
			if response := root.First("response"); response != nil && len(response.Children) == 1 {
				root = response.Children[0]
			}
		}
	}
	message, err := fromElement(root, outcomeNames)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Message: message, LRN: root.Trimmed("HEAHEA/RefNumHEA4"), MRN: root.Trimmed("HEAHEA/DocNumHEA5")}
	for _, e := range root.All("FUNERRER1") {
		o.Errors = append(o.Errors, FunctionalError{
			Type: e.Trimmed("ErrTypER11"), Pointer: e.Trimmed("ErrPoiER12"), Reason: e.Trimmed("ErrReaER13"), Original: e.Trimmed("OriAttValER14"),
		})
	}
	for _, e := range root.All("CUSINT632") {
		o.Interventions = append(o.Interventions, DoNotLoad{
			Item: e.Trimmed("IteNumConCUSINT668"), Code: e.Trimmed("CusIntCodCUSINT665"), Text: e.Trimmed("CusIntTexCUSINT666"),
		})
	}
	return o, nil
}

// Listed is an outcome or notification that waits at HMRC.
type Listed struct {
	CorrelationID  string // of the declaration or amendment
	NotificationID string // "" for an outcome
	Link           string // the path of the outcome
	MRN            string // "" if HMRC gave none
}

// errOtherDocument is the error for a document that is not the one expected.
var errOtherDocument = errors.New("the document is not the one expected")

// ReadList reads HMRC's list of waiting outcomes (entryDeclarationResponses) or notifications (advancedNotifications), oldest
// first.
func ReadList(document []byte) (all []Listed, err error) {
	root, err := readOne(document, "entryDeclarationResponses", "advancedNotifications")
	if err != nil {
		return nil, err
	}
	for _, e := range root.All("response") {
		all = append(all, Listed{
			CorrelationID: e.Trimmed("correlationId"), NotificationID: e.Trimmed("notificationId"), Link: e.Trimmed("link"), MRN: e.Trimmed("MRN"),
		})
	}
	return all, nil
}

// readOne reads a document whose root has one of some names, in whatever namespace.
func readOne(document []byte, names ...string) (*element.Element, error) {
	root, err := element.Read(document)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if root.Name.Local == name {
			return root, nil
		}
	}
	return nil, fmt.Errorf("%w: it is <%s>", errOtherDocument, root.Raw)
}
