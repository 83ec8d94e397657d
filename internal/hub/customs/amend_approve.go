package customs

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// proposal is an amendment that waits for approval.
type proposal struct {
	ReasonCode string          `json:"reasonCode,omitempty"`
	Reason     string          `json:"reason"`
	Body       json.RawMessage `json:"body"` // amended
}

// clearAmendment encodes a request for amendment, if it may be sent.
func (s *Service) clearAmendment(tx Tx, r Request, f *filing.Filing, p *amendmentPlan, in AmendmentInput) (t Transmission, c filing.Clearance, err error) {
	c, err = s.Filings.Clear(tx, r.Call, s.Type, f, func(at filing.Fixed) (out filing.Outgoing, err error) {
		if t, err = s.encodeAmendment(r.Call.Org, f.ID, p, in, at); err != nil {
			return out, err
		}
		return s.outgoingAmendment(tx, &t, at)
	})
	return t, c, err
}

// outgoingAmendment returns the document of a request for amendment, which has a reference of its own.
func (s *Service) outgoingAmendment(tx Tx, t *Transmission, at filing.Fixed) (filing.Outgoing, error) {
	out, err := s.outgoing(tx.Org(), t, at)
	out.LRN = t.Reference
	return out, err
}

// nextReference returns the reference of the next request for amendment, which is the same until one is sent.
func (p *amendmentPlan) nextReference(id string) string {
	n := 0
	for i := range p.transmissions {
		if p.transmissions[i].Purpose == toAmend {
			n++
		}
	}
	return ident.NextLRN(p.added.LRN, fmt.Sprintf("%s amendment %d", id, n+1))
}

// proposeAmendment asks for the approval of an amendment that was refused because it needs one. It changes nothing else, so an error
// is only logged: the caller gets the refusal.
func (s *Service) proposeAmendment(ctx context.Context, r Request, id string, in AmendmentInput) {
	err := s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) error {
		f, err := tx.Filing(s.Type.Kind, id)
		if err != nil {
			return err
		}
		p, err := s.planAmendment(tx, &f, in.Amended)
		if err != nil {
			return err
		}
		text, err := json.Marshal(proposal{in.ReasonCode, in.Reason, p.detail.Body})
		if err != nil {
			return err
		}
		return s.Filings.AskApproval(tx, r.Call, s.Type, id, string(text), nil)
	})
	if err != nil {
		s.Log.WarnContext(ctx, "cannot ask for the approval of an amendment", "declaration", id, "error", err)
	}
}

// proposed returns the document of an amendment that waits for approval, or was approved.
func (s *Service) proposed(tx Tx, f *filing.Filing, at filing.Fixed) (out filing.Outgoing, err error) {
	var wanted proposal
	if err := json.Unmarshal([]byte(at.Proposal), &wanted); err != nil {
		return out, fmt.Errorf("customs: proposed amendment: %w", err)
	}
	p, err := s.planAmendment(tx, f, func(json.RawMessage) (json.RawMessage, []apierr.Detail, error) { return wanted.Body, nil, nil })
	if err != nil {
		return out, err
	}
	if err := p.refusal(); err != nil {
		return out, err
	}
	t, err := s.encodeAmendment(tx.Org(), f.ID, &p, AmendmentInput{ReasonCode: wanted.ReasonCode, Reason: wanted.Reason}, at)
	if err != nil {
		return out, err
	}
	return s.outgoingAmendment(tx, &t, at)
}

// ProposedBody returns the body of a declaration as the proposed amendment makes it, with the reason of the amendment. Without one
// it is the declaration's own, and the reason is empty.
func ProposedBody(tx filing.ApprovalTx, f *filing.Filing) (body json.RawMessage, reason string, err error) {
	a, _, err := tx.Approval(f.ID)
	if err != nil || a.Proposal == "" {
		return f.Body, "", err
	}
	var wanted proposal
	err = json.Unmarshal([]byte(a.Proposal), &wanted)
	return wanted.Body, wanted.Reason, err
}
