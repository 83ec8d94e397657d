package filing_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// signedIn returns a call of a user in a console session.
func signedIn(user string, role tenant.Role) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: ours, UserID: user, Role: role, Type: tenant.ByUser}, RequestID: "r", IPAddress: "192.0.2.1"}
}

var (
	ann  = signedIn("u-MEMBER", tenant.Member) // whose key makes the records
	ben  = signedIn("u-ben", tenant.Member)
	cleo = signedIn("u-cleo", tenant.Owner)
)

// requireApproval sets whether the organisation requires approvals.
func (e *env) requireApproval(required bool) {
	e.Helper()
	service := access.Service{IDs: e.service.IDs}
	e.must(e.store.Update(ctx, ours, func(tx *store.Tx) error {
		_, err := service.UpdatePolicy(tx, cleo, access.Policy{ApprovalRequired: required})
		return err
	}))
}

func (e *env) approve(call tenant.Call, id, seen string) error {
	e.Helper()
	return e.store.Update(ctx, ours, func(tx *store.Tx) error { return e.service.Approve(tx, call, e.kind, id, seen, nil) })
}

func (e *env) submit(call tenant.Call, id string) error {
	e.Helper()
	_, err := e.act(call, id, lifecycle.Submit, filing.TransitionData{})
	return err
}

func (e *env) approval(id string) (shown filing.RecordApproval) {
	e.Helper()
	e.must(e.store.View(ctx, ours, func(tx *store.Tx) (err error) {
		shown, _, err = e.service.ApprovalOf(tx, e.kind, id)
		return err
	}))
	return shown
}

// Without the setting a record is submitted as ever, and cannot be approved.
func TestApprovalIsNotRequired(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		e.is("approve", e.approve(ben, f.ID, ""), apierr.InvalidState)
		if got := e.approval(f.ID); got.Required || got.State != filing.ApprovalNone || got.SHA256 == nil {
			e.Errorf("approval %+v", got)
		}
		e.must(e.submit(member, f.ID))
	})
}

// All members find in their inbox that an approval is asked for, and who asked that it is given.
func TestApprovalInInbox(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		f := e.draft(`{"name":"x","weight":1}`)
		e.must(e.store.Update(ctx, ours, func(tx *store.Tx) error { return e.service.AskApproval(tx, cleo, e.kind, f.ID, "", nil) }))
		e.must(e.approve(ben, f.ID, ""))
		types := func(member string) (all []filing.ItemType) {
			e.must(e.store.View(ctx, ours, func(tx *store.Tx) error {
				found, err := inbox.List(tx, member, false, filing.Position{}, 10)
				for _, i := range found {
					all = append(all, i.Type)
				}
				return err
			}))
			return all
		}
		if got := types(ben.UserID); len(got) != 1 || got[0] != filing.ItemApproval {
			e.Errorf("the inbox of the one who can approve has %v", got)
		}
		if got := types(cleo.UserID); len(got) != 1 || got[0] != filing.ItemApproved {
			e.Errorf("the inbox of the one who asked has %v", got)
		}
	})
}

// A record is submitted only after a second person has approved it: neither the one who made it nor the one who changed it last,
// signed in, with write access; and that person does not submit it.
func TestSecondPerson(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		f := e.draft(`{"name":"x","weight":1}`)
		e.is("submitted without approval", e.submit(member, f.ID), apierr.ApprovalRequired)
		_, err := e.act(owner, f.ID, lifecycle.Amend, e.corrected(`{"name":"y","weight":1}`)) // u-OWNER
		e.must(err)
		e.is("by a key", e.approve(owner, f.ID, ""), apierr.SignInAgain)
		e.is("by the service", e.approve(system, f.ID, ""), apierr.SignInAgain)
		e.is("by a viewer", e.approve(signedIn("u-v", tenant.Viewer), f.ID, ""), apierr.ReadOnlyKey)
		e.is("by who made it", e.approve(ann, f.ID, ""), apierr.ApprovalRequired)
		e.is("by who changed it last", e.approve(signedIn("u-OWNER", tenant.Owner), f.ID, ""), apierr.ApprovalRequired)
		e.is("of something else", e.approve(ben, f.ID, "00"), apierr.PreconditionFailed)
		e.must(e.approve(ben, f.ID, ""))
		e.is("submitted by who approved", e.submit(ben, f.ID), apierr.ApprovalRequired)
		e.must(e.submit(member, f.ID))
		e.is("approved after the submission", e.approve(cleo, f.ID, ""), apierr.InvalidState)
	})
}

// The approval is an event with the digest of what is sent, which changes nothing in the record, and the event of the submission
// names who approved what.
func TestApprovalInTheTrail(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		const body = `{"name":"x","weight":1}`
		made := e.draft(body)
		sum := sha256.Sum256([]byte(body))
		want := hex.EncodeToString(sum[:])
		e.must(e.approve(ben, made.ID, want))
		f, events := e.stored(made.ID)
		if f.Version != made.Version || f.Digest(ours) != made.Digest(ours) {
			e.Errorf("the record has changed: %+v", f)
		}
		var data struct{ SHA256, ApprovedBy, ApprovedSHA256 string }
		last := events[len(events)-1]
		e.must(json.Unmarshal(last.Data, &data))
		seal := filing.SealedBy(&last)
		if last.Type != "test.parcel.approved" || last.ActorUserID != "u-ben" || data.SHA256 != want || seal.Digest != f.Digest(ours) || seal.Version != 1 {
			e.Errorf("event %s of %s: %s", last.Type, last.ActorUserID, last.Data)
		}
		if got := e.approval(f.ID); got.State != filing.ApprovalHolds || *got.SHA256 != want || *got.Document != body || *got.ApprovedBy != "u-ben" {
			e.Errorf("approval %+v", got)
		}
		e.must(e.submit(member, f.ID))
		_, events = e.stored(f.ID)
		last = events[len(events)-1]
		e.must(json.Unmarshal(last.Data, &data))
		if last.Type != "test.parcel.submitted" || data.ApprovedBy != "u-ben" || data.ApprovedSHA256 != want {
			e.Errorf("event %s: %s", last.Type, last.Data)
		}
	})
}

// Every change ends the approval, also one that gives the same bytes again; taking it back ends it too. Asking for it again is
// possible then.
func TestChangeEndsApproval(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		const body = `{"name":"x","weight":1}`
		f := e.draft(body)
		for name, end := range map[string]func() error{
			"correction": func() error {
				_, err := e.act(member, f.ID, lifecycle.Amend, e.corrected(`{"name":"x","weight":2}`))
				return err
			},
			"the same again": func() error {
				now, _ := e.stored(f.ID)
				_, err := e.act(member, f.ID, lifecycle.Amend, e.corrected(string(now.Body)))
				return err
			},
			"taken back": func() error {
				return e.store.Update(ctx, ours, func(tx *store.Tx) error { return e.service.WithdrawApproval(tx, member, e.kind, f.ID, nil) })
			},
		} {
			e.must(e.approve(ben, f.ID, ""))
			e.must(end())
			e.is(name, e.submit(member, f.ID), apierr.ApprovalRequired)
			e.must(e.store.Update(ctx, ours, func(tx *store.Tx) error { return e.service.AskApproval(tx, member, e.kind, f.ID, "", nil) }))
			if got := e.approval(f.ID); got.State != filing.ApprovalWaiting || *got.RequestedBy != "u-MEMBER" {
				e.Errorf("%s: approval %+v", name, got)
			}
		}
		e.must(e.store.View(ctx, ours, func(tx *store.Tx) error {
			all, err := tx.Waiting("", 10)
			if len(all) != 1 || all[0].RecordID != f.ID || all[0].Kind != e.kind.Kind {
				e.Errorf("waiting: %+v", all)
			}
			return err
		}))
		_, err := e.act(member, f.ID, lifecycle.Cancel, filing.TransitionData{})
		e.must(err)
		e.must(e.store.View(ctx, ours, func(tx *store.Tx) error {
			all, err := tx.Waiting(e.kind.Kind, 10)
			if len(all) != 0 {
				e.Errorf("a cancelled record waits: %+v", all)
			}
			return err
		}))
	})
}

// What would be sent can change without a change of the record, because it is made from other records too. The bytes are compared
// when they are submitted, with the LRN and the time that the approval has fixed.
func TestOtherRecordEndsApproval(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		client, secret := "one", "1234"
		var made []filing.Fixed
		e.service.Encoders = map[string]filing.Encoder{e.kind.Kind: func(_ filing.Tx, f *filing.Filing, at filing.Fixed) (filing.Outgoing, error) {
			made = append(made, at)
			if at.LRN == "" {
				at.LRN = "LRN-1"
			}
			body := at.LRN + " " + at.At.Format("15:04") + " " + client + " "
			return filing.Outgoing{Fixed: at, ContentType: "text/plain", Body: []byte(body + "****"), Exact: []byte(body + secret)}, nil
		}}
		e.service.Sealer = plainSealer{}
		f := e.draft(`{"name":"x","weight":1}`)
		e.must(e.approve(ben, f.ID, ""))
		e.now = nine.AddDate(0, 0, 3)
		for name, change := range map[string]*string{"the client": &client, "a masked secret": &secret} {
			before := *change
			*change = "changed"
			e.is(name, e.submit(member, f.ID), apierr.ApprovalRequired)
			if got := e.approval(f.ID); got.State != filing.ApprovalEnded {
				e.Errorf("%s: %s", name, got.State)
			}
			*change = before
		}
		made = nil
		e.must(e.submit(member, f.ID))
		if len(made) != 1 || made[0] != (filing.Fixed{LRN: "LRN-1", At: nine}) {
			e.Errorf("made with %+v", made)
		}
	})
}

// plainSealer encrypts nothing.
type plainSealer struct{}

func (plainSealer) Encrypt(plain, _ []byte) ([]byte, error)  { return plain, nil }
func (plainSealer) Decrypt(sealed, _ []byte) ([]byte, error) { return sealed, nil }

// Of two people who approve at once, one makes the event. Both succeed.
func TestApproveTwice(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		f := e.draft(`{"name":"x","weight":1}`)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				if err := e.approve(signedIn("u-"+string(rune('a'+n)), tenant.Member), f.ID, ""); err != nil {
					e.Error(err)
				}
			})
		}
		all.Wait()
		_, events := e.stored(f.ID)
		if len(events) != 2 {
			e.Errorf("%d events, want the creation and one approval", len(events))
		}
	})
}

// Whatever runs beside a change, nothing is submitted that was not approved as it is.
func TestChangeBesideApproval(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		for range 10 {
			f := e.draft(`{"name":"x","weight":1}`)
			var submitted atomic.Bool
			var all sync.WaitGroup
			all.Go(func() { _ = e.approve(ben, f.ID, "") })
			all.Go(func() { _, _ = e.act(member, f.ID, lifecycle.Amend, e.corrected(`{"name":"x","weight":2}`)) })
			all.Go(func() { submitted.Store(e.submit(member, f.ID) == nil) })
			all.Wait()
			g, events := e.stored(f.ID)
			approved := ""
			for _, event := range events {
				var data struct{ SHA256 string }
				e.must(json.Unmarshal(event.Data, &data))
				switch event.Type {
				case "test.parcel.approved":
					approved = data.SHA256
				case "test.parcel.amended":
					approved = ""
				case "test.parcel.submitted":
					if approved != g.BodyDigest() {
						e.Errorf("submitted %s, approved %q", g.BodyDigest(), approved)
					}
				}
			}
			if submitted.Load() != (g.Status == lifecycle.Submitted) {
				e.Errorf("status %s", g.Status)
			}
		}
	})
}

// Another organisation's record cannot be approved, and its approval is not shown.
func TestApprovalOfOthers(t *testing.T) {
	each(t, func(e *env) {
		e.requireApproval(true)
		f := e.draft(`{"name":"x","weight":1}`)
		e.must(e.approve(ben, f.ID, ""))
		other := ben
		other.Org = theirs
		e.must(e.store.Update(ctx, theirs, func(tx *store.Tx) error {
			e.is("approve", e.service.Approve(tx, other, e.kind, f.ID, "", nil), apierr.NotFound)
			e.is("withdraw", e.service.WithdrawApproval(tx, other, e.kind, f.ID, nil), apierr.NotFound)
			if _, found, err := tx.Approval(f.ID); found || err != nil {
				e.Errorf("found %t, %v", found, err)
			}
			user, err := tx.LastActor(f.ID, []string{"test.parcel.created"})
			if user != "" {
				e.Errorf("made by %s", user)
			}
			return err
		}))
		e.must(e.submit(member, f.ID))
	})
}
