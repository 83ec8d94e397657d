package customs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// AmendmentReasons are the reason codes of HMRC's samples with their meaning, as far as the samples state it.
var AmendmentReasons = []AmendmentReason{
	{"21", "A value is amended"}, {"22", "A type or code is amended"}, {"28", "A weight or quantity is amended"}, {"29", "A party is amended"},
	{"30", "A goods item is removed"}, {"32", "Something else is amended or added"}, {"33", "A tax is amended"},
}

// AmendmentReason is a reason code of an amendment.
type AmendmentReason struct{ Code, Text string }

// usualReason is the reason code of an amendment for which the caller gave none.
const usualReason = "32"

// Limits of amendments.
const (
	maxChanges      = 9999     // changed elements of one amendment
	maxAmendments   = 99       // requests for amendment of one declaration
	maxVersionBytes = 32 << 20 // bodies of all versions of one declaration
)

// AmendmentInput is a request to amend a declaration.
type AmendmentInput struct {
	ReasonCode string // empty: usualReason
	Reason     string
	// Amended returns the amended body, and what is wrong with it by its schema.
	Amended func(current json.RawMessage) (json.RawMessage, []apierr.Detail, error)
}

func (in *AmendmentInput) check() error {
	known := func(r AmendmentReason) bool { return r.Code == in.ReasonCode }
	switch {
	case in.ReasonCode != "" && !slices.ContainsFunc(AmendmentReasons, known):
		return apierr.Invalid(apierr.Detail{Field: "reasonCode", Message: "must be 21, 22, 28, 29, 30, 32 or 33"})
	case strings.TrimSpace(in.Reason) == "" || len([]rune(in.Reason)) > maxReason:
		return apierr.Invalid(apierr.Detail{Field: "reason", Message: "must have 1 to 512 characters"})
	}
	return nil
}

// AmendedElement is an element of a declaration that an amendment changes.
type AmendedElement struct {
	Field   string `json:"field" doc:"Path of the field; in words if it is not an input" example:"items[0].netMassKg"`
	Pointer string `json:"pointer" doc:"Pointer of CDS" example:"42A.67A.68A[1].23A.65A.128"`
	Before  string `json:"before" doc:"Declared before; empty if nothing was. Of an entry of a list, its values" example:"120.5"`
	After   string `json:"after" doc:"Declared after; empty if it is removed" example:"119"`
}

// AmendmentDetail is what a request for amendment changes. It is stored with the transmission.
type AmendmentDetail struct {
	Former     json.RawMessage  `json:"former"` // the body before
	Body       json.RawMessage  `json:"body"`   // the body after
	Changes    []AmendedElement `json:"changes"`
	Derived    []filing.Derived `json:"derived,omitempty"`    // what the service adds to Body
	DUCR       string           `json:"ducr,omitempty"`       // after
	ChangesTax bool             `json:"changesTax,omitempty"` // whether the estimates of duty and VAT differ
	NoReason   bool             `json:"noReason,omitempty"`   // the caller gave no reason code
	Secrets    string           `json:"secrets,omitempty"`    // the access codes of Body, encrypted
}

// defaultedReason is the finding about an amendment without a reason code.
var defaultedReason = rules.Finding{
	Code: "DEC-400", Severity: rules.Info, Field: "reasonCode", Message: "No reason code was given, so the amendment was requested with 32.",
	Suggestion: "State reasonCode if another one fits better: 21 for a value, 28 for a weight or quantity, 29 for a party, 30 for a removed item.",
	Source:     "HMRC, Customs Declarations API, samples of amendments",
}

// RequestAmendment asks customs to amend a declaration. The amended body becomes the record's once customs grants it.
func (s *Service) RequestAmendment(ctx context.Context, r Request, id string, in AmendmentInput) (RequestShown, error) {
	shown, err := s.request(ctx, r, id, func(tx Tx, single bool) (string, error) {
		if err := in.check(); err != nil {
			return "", err
		}
		return s.prepareAmendment(tx, r, id, in, single)
	})
	if apierr.Is(err, apierr.ApprovalRequired) {
		s.proposeAmendment(ctx, r, id, in)
	}
	return shown, err
}

// PreviewAmendment returns what an amendment would change. It makes the checks of the request and stores nothing.
func (s *Service) PreviewAmendment(tx Tx, version filing.IfVersion, id string, amended func(json.RawMessage) (json.RawMessage, []apierr.Detail, error)) ([]AmendedElement, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return nil, err
	}
	if err := version.Check(f.Version); err != nil {
		return nil, err
	}
	p, err := s.planAmendment(tx, &f, amended)
	if err == nil {
		err = p.refusal()
	}
	return p.detail.Changes, err
}

// prepareAmendment stores the request and returns its transmission. Checks are in the order of contracts: state, body, other
// requests, completeness.
func (s *Service) prepareAmendment(tx Tx, r Request, id string, in AmendmentInput, single bool) (string, error) {
	if err := s.checkSimulate(tx, r, isDecision, "grant, deny"); err != nil {
		return "", err
	}
	f, _, done, err := s.begin(tx, r, id, toAmend)
	if err != nil || done != "" {
		return done, err
	}
	p, err := s.planAmendment(tx, &f, in.Amended)
	if err != nil {
		return "", err
	}
	last, inDoubt := p.inDoubt()
	if inDoubt && !bytes.Equal(last.Detail.Amendment.Body, p.detail.Body) {
		return "", apierr.New(apierr.RequestInProgress, "Customs may have received the last amendment. Send it again, unchanged, to find out.")
	}
	if err := p.refusal(); err != nil {
		return "", err
	}
	if err := s.checkConsent(tx, single); err != nil {
		return "", err
	}
	t := Transmission{Purpose: toAmend, Reference: last.Reference, LRN: p.added.LRN, Body: last.Body, Detail: last.Detail}
	t.Repeated = inDoubt
	clearance := filing.ClearedBefore(last.Request.Approved)
	if !inDoubt {
		if t, clearance, err = s.clearAmendment(tx, r, &f, &p, in); err != nil {
			return "", err
		}
	}
	t.FilingID, t.Request = id, r
	t.Request.Approved = clearance.Approved()
	if r.Simulate != "" {
		t.Request.SimulatedBy = simulator.SteeringHeader + ": " + r.Simulate
	}
	return s.dispatch(tx, t, clearance)
}

// encodeAmendment returns the request as it is sent.
func (s *Service) encodeAmendment(org tenant.ID, id string, p *amendmentPlan, in AmendmentInput, at filing.Fixed) (t Transmission, err error) {
	detail := RequestDetail{ReasonCode: in.ReasonCode, Reason: in.Reason, Answered: true, HasDataSet: p.hasDataSet, Amendment: &p.detail}
	if detail.ReasonCode == "" {
		detail.ReasonCode, p.detail.NoReason = usualReason, true
	}
	t = Transmission{Purpose: toAmend, Reference: cmp.Or(at.LRN, p.nextReference(id)), LRN: p.added.LRN, Detail: detail}
	document, err := amendment.Request(t.Reference, *p.added.MRN, detail.ReasonCode, in.Reason, &p.declared, &p.amended)
	if err != nil {
		return t, err
	}
	t.FilingID = id
	return t, s.setDocument(org, &t, document)
}

// begin returns a declaration and what was sent about it, for a message with a purpose; done is the transmission that the same
// call made before, if there is one.
func (s *Service) begin(tx Tx, r Request, id, purpose string) (f filing.Filing, ts []Transmission, done string, err error) {
	if f, err = tx.Filing(s.Type.Kind, id); err != nil {
		return f, nil, "", err
	}
	if ts, err = tx.Transmissions(id); err != nil {
		return f, nil, "", err
	}
	if t, found := sameRequest(ts, r, purpose, tx.Now()); found {
		return f, ts, t.ID, nil
	}
	return f, ts, "", r.If.Check(f.Version)
}

// sameRequest returns the transmission that the same call, by its idempotency key, made before.
func sameRequest(ts []Transmission, r Request, purpose string, now time.Time) (Transmission, bool) {
	at := slices.IndexFunc(ts, func(t Transmission) bool {
		return t.Purpose == purpose && t.State != outbox.Refused && t.IsOf(r, now)
	})
	if at < 0 {
		return Transmission{}, false
	}
	return ts[at], true
}

// fixedMembers are the members that no amendment changes, with the reason.
var fixedMembers = map[string]string{
	"shipmentId":      "cannot be amended: the declaration is about this shipment. Cancel it and make another one",
	"declarationType": "cannot be amended: a request for amendment has its own type instead of DE 1/1",
	"declarationCode": "cannot be amended: a request for amendment has its own type instead of DE 1/1",
	"additionalType":  "cannot be amended: a request for amendment has its own type instead of DE 1/2. Present the goods of a pre-lodged declaration instead",
	"dataSet":         "cannot be amended: it is not declared, and decides how the service reads the body",
	"fill":            "cannot be amended: it is not declared, and decides what the service adds",
	"reference":       "cannot be amended: it is your own and not declared",
	"uniqueReference": "cannot be amended: it is your own and not declared",
	"metadata":        "cannot be amended: it is your own and not declared",
}

// fixed returns the members that differ and cannot be amended.
func fixed(former, amended json.RawMessage) (details []apierr.Detail) {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(former, &before) != nil || json.Unmarshal(amended, &after) != nil {
		return nil
	}
	for name, message := range fixedMembers {
		if !sameValue(before[name], after[name]) {
			details = append(details, apierr.Detail{Field: changesMember + "." + name, Message: message})
		}
	}
	sorting.Stable(details, func(a, b apierr.Detail) int { return strings.Compare(a.Field, b.Field) })
	return details
}

// FixedMembers returns the members that a merge patch changes and that cannot be amended.
func FixedMembers(body, changes json.RawMessage) []apierr.Detail {
	var all, patch map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil || json.Unmarshal(changes, &patch) != nil {
		return nil
	}
	for _, members := range []map[string]json.RawMessage{all, patch} {
		for name := range members {
			if fixedMembers[name] == "" {
				delete(members, name)
			}
		}
	}
	former, err := json.Marshal(all)
	if err != nil {
		return nil
	}
	some, err := json.Marshal(patch)
	if err != nil {
		return nil
	}
	after, err := filing.MergePatch(former, some)
	if err != nil {
		return nil
	}
	return fixed(former, after)
}

// sameValue reports whether two JSON values, each of which may be absent, are equal.
func sameValue(a, b json.RawMessage) bool {
	var one, other any
	if a == nil || b == nil {
		return (a == nil) == (b == nil)
	}
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}

// changesMember is the member of a request that contains the changes.
const changesMember = "changes"

// MayAmend returns an error if a declaration cannot be amended.
func MayAmend(f *filing.Filing) error {
	a, err := addedOf(f)
	if err != nil {
		return err
	}
	return mayAmend(f, &a)
}

// mayAmend returns an error if a declaration cannot be amended in its state.
func mayAmend(f *filing.Filing, a *added) error {
	switch {
	case f.Status != lifecycle.Submitted && f.Status != lifecycle.Accepted && f.Status != Cleared:
		return apierr.New(apierr.InvalidState, "Customs amends a declaration that it has registered, accepted or cleared. This one is %s.", f.Status)
	case a.waits(f) || a.MRN == nil:
		return apierr.New(apierr.InvalidState, "Customs has not registered this declaration yet, so it has no MRN, which an amendment needs. Try again in a moment.")
	}
	return nil
}
