package customs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amended"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// amendmentPlan is an amendment before it is sent.
type amendmentPlan struct {
	added         added
	transmissions []Transmission
	messages      []Message
	declared      wco.Declaration // as customs has it
	amended       wco.Declaration // as the amendment makes it
	codes         []secret.Given  // access codes of the amended body
	detail        AmendmentDetail
	hasDataSet    bool
	incomplete    error // why customs would refuse the amended declaration
}

// planAmendment makes the amended body and both declarations. An error is a fault of the state or of the body.
func (s *Service) planAmendment(tx Tx, f *filing.Filing, change func(json.RawMessage) (json.RawMessage, []apierr.Detail, error)) (p amendmentPlan, err error) {
	if p.added, err = addedOf(f); err != nil {
		return p, err
	}
	if err := mayAmend(f, &p.added); err != nil {
		return p, err
	}
	if p.transmissions, err = tx.Transmissions(f.ID); err != nil {
		return p, err
	}
	if p.messages, err = tx.Messages(f.ID); err != nil {
		return p, err
	}
	if err := p.checkLimits(f); err != nil {
		return p, err
	}
	body, details, err := change(f.Body)
	if err != nil {
		return p, err
	}
	if details = append(details, fixed(f.Body, body)...); details != nil {
		return p, apierr.Invalid(details...)
	}
	input, filled, err := s.Type.Correction(tx, f, body)
	if err != nil {
		return p, withinChanges(err)
	}
	p.detail.Former, p.detail.Body = f.Body, input.Raw
	if err := s.planAccessCodes(tx, f, input, &p); err != nil {
		return p, err
	}
	if p.detail.ChangesTax, err = s.changesTax(tx, f.Body, input); err != nil {
		return p, err
	}
	p.detail.Derived, _ = filled[filing.DerivedMember].([]filing.Derived)
	simulated, err := s.isSimulated(tx)
	if err != nil {
		return p, err
	}
	return p, s.makeDocuments(tx, f, &p, simulated)
}

// planAccessCodes resolves the access codes of the amended body. The caller's request names those that are not stored.
func (s *Service) planAccessCodes(tx Tx, f *filing.Filing, input filing.Input, p *amendmentPlan) (err error) {
	given, vault := input.Secrets(), s.Filings.Vault(tx.Org())
	if len(given) == 0 {
		return nil
	}
	stored, err := vault.Load(tx, f.ID)
	if err != nil {
		return err
	}
	kept, details := secret.Keep(terms.AccessCodes.Path, given, stored)
	if details != nil {
		return withinChanges(apierr.Invalid(details...))
	}
	p.codes = kept
	p.detail.Secrets, err = vault.Seal(f.ID, kept)
	return err
}

// withinChanges returns an error of a body as one of the request that changes it.
func withinChanges(err error) error {
	e, ok := apierr.As(err)
	if !ok || e.Code != apierr.InvalidRequest {
		return err
	}
	details := slices.Clone(e.Details)
	for i := range details {
		details[i].Field = changesMember + "." + details[i].Field
	}
	return apierr.Invalid(details...).WithCause(err)
}

// changesTax reports whether the estimates of taxes differ.
func (s *Service) changesTax(tx Tx, former json.RawMessage, amended filing.Input) (bool, error) {
	before, err := s.Type.Parse(former, tx.Now())
	if err != nil {
		return false, err
	}
	same := func(name string) bool { return bytes.Equal(before.Estimate(name), amended.Estimate(name)) }
	return !same(totalDuty) || !same(totalVAT) || !same(totalOther), nil
}

// checkLimits returns an error if a declaration has been amended too often.
func (p *amendmentPlan) checkLimits(f *filing.Filing) error {
	n, size := 0, len(f.Body)
	for i := range p.transmissions {
		if t := &p.transmissions[i]; t.Detail.Amendment != nil && t.State != outbox.Refused {
			n, size = n+1, size+len(t.Detail.Amendment.Body)
		}
	}
	if n >= maxAmendments || size > maxVersionBytes {
		return apierr.New(apierr.InvalidState, "This declaration has been amended %d times, which is the limit for its size. Ask HMRC to amend it.", n)
	}
	return nil
}

// refusal returns why the request cannot be sent now: another one is open, or customs would refuse it.
func (p *amendmentPlan) refusal() error {
	open := slices.ContainsFunc(p.transmissions, func(t Transmission) bool {
		return t.Purpose == toAmend && t.LRN == p.added.LRN && t.State == outbox.Pending
	})
	if open || hasOpen(p.added.Requests, requestOfAmendment) {
		return errInProgress
	}
	return p.incomplete
}

// inDoubt returns the last amendment if customs may have received it.
func (p *amendmentPlan) inDoubt() (Transmission, bool) {
	last, found := latest(p.transmissions, toAmend)
	if !found || last.LRN != p.added.LRN || last.State != outbox.Unknown || last.Detail.Amendment == nil {
		return Transmission{}, false
	}
	return last, true
}

// makeDocuments makes the declaration that customs has and the amended one. Both bodies are completed from the same records,
// so that a client or shipment that changed since the submission changes nothing.
func (s *Service) makeDocuments(tx Tx, f *filing.Filing, p *amendmentPlan, simulated bool) error {
	before, formerly, err := s.complete(tx, f, p, p.detail.Former, nil)
	if err != nil {
		return err
	}
	after, now, err := s.complete(tx, f, p, p.detail.Body, p.codes)
	if err != nil {
		return err
	}
	if before.TypeCode != after.TypeCode {
		return apierr.Invalid(apierr.Detail{Field: changesMember, Message: "change the type of the declaration (DE 1/1, 1/2) from " + before.TypeCode + " to " + after.TypeCode + ", which cannot be amended"})
	}
	if p.declared, err = s.declaredBy(tx.Org(), p.transmissions, p.messages, p.added.LRN); err != nil {
		return err
	}
	request, err := amendment.Request("", "", "", "", &before, &after)
	if errors.Is(err, amendment.ErrNoChange) {
		return errNoChange
	}
	if err != nil {
		return fmt.Errorf("customs: amendment: %w", err)
	}
	if p.amended, err = amended.By(&p.declared, &request); err != nil {
		p.amended = after // a list has other entries than it had when it was declared
	}
	changes, _, err := amendment.Compare(&p.declared, &p.amended)
	switch {
	case err != nil:
		return fmt.Errorf("customs: amendment: %w", err)
	case len(changes) == 0:
		return errNoChange
	case len(changes) > maxChanges:
		return apierr.Invalid(apierr.Detail{Field: changesMember, Message: fmt.Sprintf("must not change more than %d elements", maxChanges)})
	}
	for _, c := range changes {
		p.detail.Changes = append(p.detail.Changes, maskedElement(AmendedElement{Field: datamodel.MemberAt(c.Pointer), Pointer: c.Pointer.String(), Before: c.Before, After: c.After}))
	}
	p.detail.DUCR = ducrOf(&p.amended)
	p.hasDataSet = now.header.DataSet != ""
	now.amended = true
	p.incomplete = now.incomplete(&p.amended, simulated)
	if p.hasDataSet || now.header.Fill != "" {
		p.detail.Derived, err = mergeDerived(f, p.detail.Derived, formerly.derived, now.derived)
	}
	return err
}

// maskedElement returns a changed element without the text of an access code.
func maskedElement(e AmendedElement) AmendedElement {
	if !strings.HasSuffix(e.Field, "."+terms.AccessCodes.Name) {
		return e
	}
	for _, value := range []*string{&e.Before, &e.After} {
		if *value != "" {
			*value = string(secret.Mask)
		}
	}
	return e
}

// errNoChange is the error of an amendment that declares nothing else.
var errNoChange = apierr.Invalid(apierr.Detail{Field: changesMember, Message: "change nothing that is declared to customs"})

// complete returns the declaration of a body as its XML says it, with what was added.
func (s *Service) complete(tx Tx, f *filing.Filing, p *amendmentPlan, body json.RawMessage, codes []secret.Given) (wco.Declaration, *filler, error) {
	of := *f
	of.Body = body
	d, err := gather(tx, &of)
	if err != nil {
		return wco.Declaration{}, nil, err
	}
	for _, code := range codes {
		d.declaration.Guarantees[code.Index].AccessCode = code.Text
	}
	if err := s.loadAccessCodes(tx, tx.Org(), f, &d); err != nil {
		return wco.Declaration{}, nil, err
	}
	d.lrn = p.added.LRN
	if d.now, err = reviewTime(f, tx.Now()); err != nil {
		return wco.Declaration{}, nil, err
	}
	filled := d.filled(true)
	text, err := encodeXML(filled.document())
	if err != nil {
		return wco.Declaration{}, nil, err
	}
	document, err := wco.Decode([]byte(text))
	return document, filled, err
}

// declaredBy returns the declaration that customs has: the last one that was sent, as the granted requests amended it.
func (s *Service) declaredBy(org tenant.ID, ts []Transmission, messages []Message, lrn string) (d wco.Declaration, err error) {
	for i := range ts {
		t := &ts[i]
		sent, err := s.sentBytes(org, t)
		if err != nil {
			return d, err
		}
		switch {
		case t.LRN != lrn || t.State != outbox.Sent || isSuperseded(ts, i) && t.Purpose == toAmend:
		case t.Purpose == toSubmit:
			d, err = wco.Decode(sent)
		case t.Purpose == toAmend && statusOf(t, messages, decision{}) == requestGranted:
			var request wco.Declaration
			if request, err = wco.Decode(sent); err == nil {
				d, err = amended.By(&d, &request)
			}
		}
		if err != nil {
			return d, fmt.Errorf("customs: declaration %s as it was sent: %w", lrn, err)
		}
	}
	return d, nil
}

// mergeDerived returns the values that are filled into an amended body. A value that the amendment does not change stays as it
// was declared.
func mergeDerived(f *filing.Filing, products, before, after []filing.Derived) ([]filing.Derived, error) {
	stored, err := filing.StoredDerived(f)
	if err != nil {
		return nil, err
	}
	find := func(all []filing.Derived, field string) (filing.Derived, bool) {
		at := slices.IndexFunc(all, func(d filing.Derived) bool { return d.Field == field && d.From != fromProduct })
		if at < 0 {
			return filing.Derived{}, false
		}
		return all[at], true
	}
	merged := products
	for _, now := range after {
		was, known := find(before, now.Field)
		if declared, found := find(stored, now.Field); found && known && bytes.Equal(was.Value, now.Value) {
			now = declared
		}
		merged = append(merged, now)
	}
	for _, declared := range stored {
		_, known := find(before, declared.Field)
		if _, again := find(after, declared.Field); !known && !again && declared.From != fromProduct {
			merged = append(merged, declared)
		}
	}
	return merged, nil
}

// ducrOf returns the DUCR of a declaration; empty for none.
func ducrOf(d *wco.Declaration) string {
	for _, p := range d.GoodsShipment.PreviousDocument {
		if p.TypeCode == ducrType {
			return p.ID
		}
	}
	return ""
}
