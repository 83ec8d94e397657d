package filing

import (
	"crypto/subtle"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Approval is the approval of what would be submitted of a record by a second person, or the request for it.
type Approval struct {
	RecordID string `json:"-"`
	Kind     string `json:"-"`
	Fixed
	SHA256     string    `json:"sha256,omitempty"`     // of the bytes as they are kept
	Sealed     string    `json:"sealed,omitempty"`     // encrypted SHA-256 of the bytes that are sent, if the kept ones mask secrets
	AskedBy    string    `json:"askedBy,omitempty"`    // ID of the user; empty without a request
	AskedAt    time.Time `json:"askedAt,omitzero"`     //
	ApprovedBy string    `json:"approvedBy,omitempty"` // ID of the user; empty while it waits
	ApprovedAt time.Time `json:"approvedAt,omitzero"`  //
}

// Given reports whether there is an approval, which may have ended since.
func (a *Approval) Given() bool { return a.ApprovedBy != "" }

// Since is when the approval was given or, while it waits, asked for.
func (a *Approval) Since() time.Time {
	if a.Given() {
		return a.ApprovedAt
	}
	return a.AskedAt
}

// Approved is an approval as the record of a submission keeps it.
type Approved struct {
	By     string    `json:"by"` // ID of the user
	At     time.Time `json:"at"`
	SHA256 string    `json:"sha256"`
}

// approved returns the approval as the record of a submission keeps it.
func (a *Approval) approved() *Approved { return &Approved{a.ApprovedBy, a.ApprovedAt, a.SHA256} }

// ApprovalTx is the part of a transaction that approvals need.
type ApprovalTx interface {
	Organisation() (access.Organisation, error)
	Approval(recordID string) (a Approval, found bool, err error)
	SaveApproval(Approval) error
	RemoveApproval(recordID string) error
	// Waiting lists the records of a kind, or of all if it is empty, that wait for approval; of each kind the longest first.
	Waiting(kind string, limit int) ([]Approval, error)
	// LastActor returns the user of the latest event of a record that has one of the types; empty if there is none.
	LastActor(recordID string, types []string) (string, error)
}

// Clearance is the permission to send what a submission consists of. Only Clear, ClearedBefore and NoApproval give one; a zero
// one permits nothing.
type Clearance struct {
	given    bool
	approved *Approved
}

// Given reports whether sending is permitted.
func (c Clearance) Given() bool { return c.given }

// Approved is the approval by a second person; nil if the organisation requires none.
func (c Clearance) Approved() *Approved { return c.approved }

// ClearedBefore permits to store that something was sent, or to send the very same bytes again. The approval is the one with which
// they were sent at first; nil for none.
func ClearedBefore(a *Approved) Clearance { return Clearance{given: true, approved: a} }

// NoApproval permits to send what no organisation needs to approve because it declares nothing new.
func NoApproval() Clearance { return Clearance{given: true} }

// Clear permits a submission: if the organisation requires approval, only of the bytes that a second person, who does not
// submit them, has approved. It must run in the transaction that stores the bytes. Make makes them with the values that the
// approval has fixed, which are zero without one.
func (s *Service) Clear(tx Tx, call tenant.Call, t *Type, f *Filing, make func(Fixed) (Outgoing, error)) (Clearance, error) {
	a, err := approvalFor(tx, call, t, f.ID)
	if err != nil {
		return Clearance{}, err
	}
	if a == nil {
		_, err := make(Fixed{})
		return Clearance{given: err == nil}, err
	}
	out, err := make(a.Fixed)
	if err != nil {
		return Clearance{}, err
	}
	covered, err := s.covers(a, call.Org, &out)
	if err == nil && !covered {
		err = needsApproval(t, "Something has changed since this %s was approved. A second person has to approve it again.")
	}
	return Clearance{given: err == nil, approved: a.approved()}, err
}

// clearStored is Clear for a transition that nothing was sent before: it makes the bytes only if they have to be compared.
func (s *Service) clearStored(tx Tx, call tenant.Call, t *Type, f *Filing) (Clearance, error) {
	return s.Clear(tx, call, t, f, func(at Fixed) (Outgoing, error) {
		if at.At.IsZero() {
			return Outgoing{}, nil
		}
		return s.outgoing(tx, t, f, at)
	})
}

// approvalFor returns the approval with which a call may submit a record, which may have ended; nil if the organisation requires
// none.
func approvalFor(tx Tx, call tenant.Call, t *Type, id string) (*Approval, error) {
	org, err := tx.Organisation()
	if err != nil || !org.Policy.ApprovalRequired {
		return nil, err
	}
	a, found, err := tx.Approval(id)
	switch {
	case err != nil:
		return nil, err
	case !found || !a.Given():
		return nil, needsApproval(t, "A second person has to approve this %s before it is sent.")
	case a.ApprovedBy == call.UserID:
		return nil, needsApproval(t, "You approved this %s, so another person has to submit it.")
	}
	return &a, nil
}

func needsApproval(t *Type, format string) error {
	return apierr.New(apierr.ApprovalRequired, format, t.Singular)
}

// covers reports whether an approval is for these bytes.
func (s *Service) covers(a *Approval, org tenant.ID, out *Outgoing) (bool, error) {
	if a.SHA256 != out.SHA256() || (a.Sealed == "") != (out.Exact == nil) {
		return false, nil
	}
	if a.Sealed == "" {
		return true, nil
	}
	exact, err := s.Vault(org).OpenText(a.RecordID, a.Sealed)
	return err == nil && subtle.ConstantTimeCompare(exact, []byte(digest(out.Exact))) == 1, err
}

// AskApproval asks for the approval of a record's submission or, with a proposal, of something else that the kind sends. A request
// that is waiting, and an approval that holds, stay as they are.
func (s *Service) AskApproval(tx Tx, call tenant.Call, t *Type, id, proposal string, required IfVersion) error {
	f, err := s.approvable(tx, call, t, id, lifecycle.AskApproval, required)
	if err != nil {
		return err
	}
	if _, submits := t.Lifecycle.Find(f.Status, lifecycle.Submit); !submits && proposal == "" {
		return invalidTransition(t, lifecycle.Submit, f.Status)
	}
	a, found, err := tx.Approval(id)
	if found = found && a.Proposal == proposal; err != nil || found && !a.Given() {
		return err
	}
	if found {
		holds, err := s.holds(tx, t, &f, &a)
		if err != nil || holds {
			return err
		}
	}
	a = Approval{RecordID: id, Kind: t.Kind, Fixed: Fixed{Proposal: proposal}, AskedBy: call.UserID, AskedAt: tx.Now()}
	if err := tx.SaveApproval(a); err != nil {
		return err
	}
	return s.recordApproval(tx, call, t, &f, "approval_requested", nil, &a)
}

// Approve approves what would be submitted of a record, and fixes its LRN and the time of sending. If seen is not empty, it is
// the SHA-256 of what the person has seen, and anything else is precondition_failed. An approval that holds stays as it is.
func (s *Service) Approve(tx Tx, call tenant.Call, t *Type, id, seen string, required IfVersion) error {
	f, err := s.approvable(tx, call, t, id, lifecycle.Approve, required)
	if err != nil {
		return err
	}
	a, found, err := tx.Approval(id)
	if err != nil {
		return err
	}
	if _, submits := t.Lifecycle.Find(f.Status, lifecycle.Submit); !submits && a.Proposal == "" {
		return invalidTransition(t, lifecycle.Submit, f.Status)
	}
	if a.Given() {
		holds, err := s.holds(tx, t, &f, &a)
		if err != nil || holds && (seen == "" || seen == a.SHA256) {
			return err
		}
	}
	if !found {
		a = Approval{RecordID: id, Kind: t.Kind}
	}
	if err := s.checkSecondPerson(tx, call, t, &a); err != nil {
		return err
	}
	out, err := s.outgoing(tx, t, &f, Fixed{At: tx.Now(), Proposal: a.Proposal})
	if err != nil {
		return err
	}
	if seen != "" && seen != out.SHA256() {
		return apierr.New(apierr.PreconditionFailed, "What would be submitted has changed since you saw it. Look at it again, then approve it.")
	}
	a.Fixed, a.SHA256, a.Sealed = Fixed{LRN: out.LRN, At: out.At, Proposal: a.Proposal}, out.SHA256(), ""
	a.ApprovedBy, a.ApprovedAt = call.UserID, tx.Now()
	if out.Exact != nil {
		if a.Sealed, err = s.Vault(call.Org).SealText(id, []byte(digest(out.Exact))); err != nil {
			return err
		}
	}
	if err := tx.SaveApproval(a); err != nil {
		return err
	}
	data := Added{"sha256": a.SHA256, "sendingTime": audit.Instant(a.At)}
	if a.LRN != "" {
		data["lrn"] = a.LRN
	}
	return s.recordApproval(tx, call, t, &f, "approved", data, &a)
}

// WithdrawApproval takes away the approval of a record, or the request for it. Without one it changes nothing.
func (s *Service) WithdrawApproval(tx Tx, call tenant.Call, t *Type, id string, required IfVersion) error {
	f, err := s.approvable(tx, call, t, id, "", required)
	if err != nil {
		return err
	}
	a, found, err := tx.Approval(id)
	if err != nil || !found {
		return err
	}
	if err := tx.RemoveApproval(id); err != nil {
		return err
	}
	var data Added
	if a.Given() {
		data = Added{"sha256": a.SHA256, "approvedBy": a.ApprovedBy}
	}
	return s.recordApproval(tx, call, t, &f, "approval_withdrawn", data, nil)
}

// approvable returns a record, if its status and the caller allow an action about its approval. Without an action it is to be
// taken back, which is always possible.
func (s *Service) approvable(tx Tx, call tenant.Call, t *Type, id string, by lifecycle.Action, required IfVersion) (f Filing, err error) {
	if f, err = tx.Filing(t.Kind, id); err != nil {
		return f, err
	}
	if err := required.Check(f.Version); err != nil {
		return f, err
	}
	if by == "" {
		return f, Allowed(lifecycle.Member, call.Principal)
	}
	edge, ok := t.Lifecycle.Find(f.Status, by)
	if !ok {
		return f, invalidTransition(t, by, f.Status)
	}
	if err := Allowed(edge.Guard, call.Principal); err != nil {
		return f, err
	}
	org, err := tx.Organisation()
	if err == nil && !org.Policy.ApprovalRequired {
		err = apierr.New(apierr.InvalidState, "The organisation does not require approvals. An OWNER can require them under Settings, Organisation.")
	}
	return f, err
}

// checkSecondPerson returns an error if the caller made the record or last changed it, or proposed what would be sent.
func (s *Service) checkSecondPerson(tx Tx, call tenant.Call, t *Type, a *Approval) error {
	if a.Proposal != "" && a.AskedBy == call.UserID {
		return needsApproval(t, "You proposed this for the %s, so another person has to approve it.")
	}
	for _, by := range []struct {
		types []string
		what  string
	}{
		{[]string{t.Kind + "." + t.Lifecycle.Created}, "made"}, {t.changes(), "last changed"},
	} {
		if user, err := tx.LastActor(a.RecordID, by.types); err != nil {
			return err
		} else if user == call.UserID {
			return needsApproval(t, "You "+by.what+" this %s, so another person has to approve it.")
		}
	}
	return nil
}

// changes returns the types of the events of changes that users make to a record, after its creation.
func (t *Type) changes() (types []string) {
	for _, e := range t.Lifecycle.Edges {
		if e.Has(lifecycle.ReplaceBody) && e.Guard != lifecycle.System {
			types = append(types, e.EventType(t.Kind))
		}
	}
	return types
}

// recordApproval stores the event of an action about the approval of a record, which stays as it is. Of an approval that is asked
// for or given, members and webhook endpoints learn; nil for neither.
func (s *Service) recordApproval(tx Tx, call tenant.Call, t *Type, f *Filing, past string, data Added, a *Approval) (err error) {
	c := Change{Filing: *f, Unchanged: true, Event: s.event(call, t, f, f.Status, past, data)}
	if a != nil {
		c.Items = s.approvalItems(a, f, &c.Event, tx.Now())
	}
	if a != nil && s.Notify != nil {
		if c.Notification, err = s.Notify(tx, &c); err != nil {
			return err
		}
	}
	return tx.Write(c)
}

// clear permits a transition that submits a record, and adds the approval to its event.
func (s *Service) clear(tx Tx, call tenant.Call, t *Type, f *Filing, step *TransitionData) (err error) {
	if !step.Clearance.Given() {
		if step.Clearance, err = s.clearStored(tx, call, t, f); err != nil {
			return err
		}
	}
	if a := step.Clearance.Approved(); a != nil {
		step.addData(Added{"approvedBy": a.By, "approvedAt": audit.Instant(a.At), "approvedSha256": a.SHA256})
	}
	return nil
}

// endsApproval reports whether a change ends the approval of a record: another input, another status, or that what was approved
// is sent.
func (t *Type) endsApproval(former, f *Filing, step *TransitionData) bool {
	return former != nil && len(t.Lifecycle.From(lifecycle.Approve)) > 0 && (step.Input != nil || step.approved || former.Status != f.Status)
}
