package console_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// trail returns an organisation's events as they are stored.
func (h *harness) trail(org tenant.ID) (all []audit.Event) {
	h.Helper()
	h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error { all = append(all, e); return nil })
	}))
	return all
}

// lines returns an organisation's audit log as exports show it.
func (h *harness) lines(org tenant.ID) string {
	var out []byte
	for _, e := range h.trail(org) {
		out = append(e.AppendJSON(out), '\n')
	}
	return string(out)
}

// erased waits for the event of an erasure, and returns its data.
func (h *harness) erased(org tenant.ID, userID string) (data map[string]any) {
	h.Helper()
	ctx, cancel := context.WithTimeout(h.Context(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		for _, e := range h.trail(org) {
			if e.Type == access.UserErased && e.ResourceID == userID {
				if e.IPAddress != "" || len(e.Personal) > 0 {
					h.Errorf("the event of the erasure holds personal values: %+v", e)
				}
				h.must(json.Unmarshal(e.Data, &data))
				return data
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	h.Fatal("no erasure is recorded")
	return nil
}

// expectNoValues fails the test if an export of the organisation, except its records, contains a value.
func (h *harness) expectNoValues(org tenant.ID, values ...string) {
	h.Helper()
	text := h.lines(org)
	h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
		for _, table := range portability.Tables() {
			rows, err := tx.TableRows(table, nil, 1000)
			if err != nil {
				return err
			}
			for _, r := range rows {
				text += fmt.Sprint(r.Values...)
			}
		}
		return nil
	}))
	for _, value := range values {
		if strings.Contains(text, value) {
			h.Errorf("%s is still there", value)
		}
	}
}

func (h *harness) unbroken(org tenant.ID) (erased int64) {
	h.Helper()
	all, err := h.app.VerifyAudit(h.Context(), org, nil)
	h.must(err)
	if len(all) != 1 || !all[0].OK() {
		h.Errorf("the audit log: %+v", all)
	}
	return all[0].Erased
}

// A person erases their own account: it is deleted at once, the events lose its IP address and the audit
// log still verifies. The only OWNER cannot do this.
func TestPersonIsErased(t *testing.T) {
	each(t, func(h *harness) {
		olive := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(olive.org, tenant.Member, "mia@example.com")
		olive.post("/settings/users/invite", "email", "mia@example.com", "role", "MEMBER", "days", "3").expect(h, http.StatusOK)
		olive.post("/account/erase", "email", "olive@example.com").expect(h, http.StatusBadRequest, "only OWNER of Quay Ltd")
		elsewhere := h.visitorFrom("127.0.0.9")
		elsewhere.email = mia.email
		elsewhere.signIn()
		if !strings.Contains(h.lines(olive.org), "127.0.0.9") {
			h.Fatal("the address is not recorded")
		}
		h.must(h.app.Store.Update(h.Context(), olive.org, func(tx *store.Tx) error {
			return errors.Join(tx.LinkIdentity(h.app.IDs.UUID(), "subject-of-mia", mia.id), tx.PutSCIMUser(scim.User{ID: mia.id, UserName: "mia.by.scim", UpdatedAt: tx.Now()}))
		}))
		mia.get("/account/erase").expect(h, http.StatusOK, "Personal values of audit events that are removed: ")
		mia.post("/account/erase", "email", "olive@example.com").expect(h, http.StatusBadRequest, "not the address of your account")
		mia.post("/account/erase", "email", "Mia@example.com").expect(h, http.StatusOK, "Your account is erased", "Filed records")
		mia.get("/account").expect(h, http.StatusSeeOther)
		data := h.erased(olive.org, mia.id)
		if data["by"] != "person" || data["values"].(float64) < 2 || data["olderEvents"] != float64(0) {
			h.Errorf("recorded %v", data)
		}
		h.expectNoValues(olive.org, "127.0.0.9", "mia@example.com", "subject-of-mia", "mia.by.scim")
		if n := h.unbroken(olive.org); n < 3 {
			h.Errorf("%d values are erased", n)
		}
		for _, e := range h.trail(olive.org) {
			if shown := e.Shown(); e.Type == access.InvitationCreated && (shown.IPAddress != "127.0.0.1" || !strings.Contains(string(shown.Data), `"email":"erased"`)) {
				h.Errorf("the invitation by the OWNER: %s, %s", shown.IPAddress, shown.Data)
			}
		}
		olive.get("/audit").expect(h, http.StatusOK, "erased", "a former user")
		h.must(h.app.Store.View(h.Context(), tenant.Operator, func(tx *store.Tx) error {
			u, found, err := tx.User(mia.id)
			if !found || u != (access.User{ID: mia.id, Name: audit.Erased}) {
				h.Errorf("the account is %+v", u)
			}
			return err
		}))
	})
}

// An OWNER erases a former member's data in one organisation; the account and other organisations keep theirs.
func TestFormerMemberIsErased(t *testing.T) {
	each(t, func(h *harness) {
		olive, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "piet@example.com")
		mia := h.member(olive.org, tenant.Member, "mia@example.com")
		h.join(other.org, mia.id, tenant.Member)
		elsewhere := h.visitorFrom("127.0.0.9")
		elsewhere.email = mia.email
		elsewhere.signIn()
		olive.post("/settings/users/"+mia.id+"/erase").expect(h, http.StatusNotFound)
		olive.post("/settings/users/"+mia.id+"/remove").expect(h, http.StatusSeeOther)
		olive.get("/audit").expect(h, http.StatusOK, "MEMBER person")
		olive.get("/settings/users").expect(h, http.StatusOK, "Former users", "mia@example.com")
		other.post("/settings/users/"+mia.id+"/erase").expect(h, http.StatusNotFound)
		olive.get("/settings/users/"+mia.id+"/erase").expect(h, http.StatusOK, "Erase the personal data of MEMBER person?")
		olive.post("/settings/users/"+mia.id+"/erase").expect(h, http.StatusSeeOther)
		if data := h.erased(olive.org, mia.id); data["by"] != "OWNER" {
			h.Errorf("recorded %v", data)
		}
		h.expectNoValues(olive.org, "127.0.0.9")
		h.unbroken(olive.org)
		if a := olive.get("/audit"); strings.Contains(a.body, "MEMBER person") || strings.Contains(olive.get("/settings/users").body, "mia@example.com") {
			h.Error("the former member is still named")
		}
		if !strings.Contains(h.lines(other.org), "127.0.0.9") {
			h.Error("another organisation has lost personal values")
		}
		mia.get("/account").expect(h, http.StatusOK, "mia@example.com")
	})
}

// The operator erases an account by its email address, including events of a former version, and can
// repeat it by ID.
func TestOperatorErases(t *testing.T) {
	each(t, func(h *harness) {
		olive := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(olive.org, tenant.Member, "mia@example.com")
		h.former(olive.org, mia.id, "192.0.2.7")
		id, all, err := h.app.EraseUser(h.Context(), "mia@example.com")
		h.must(err)
		if id != mia.id || len(all) != 1 || all[0].Organisation != olive.org || all[0].Values == 0 || all[0].Older != 1 || all[0].Until.Year() < h.clock().Year()+7 {
			h.Errorf("%s, %+v", id, all)
		}
		text := strings.Join(all[0].Sentences(), " ")
		if !strings.Contains(text, "Older events that keep their values: 1, until 1 January ") || !strings.Contains(text, "Article 17(3)(b)") {
			h.Error(text)
		}
		data := h.erased(olive.org, mia.id)
		if data["by"] != "operator" || data["olderEvents"] != float64(1) || data["keptUntil"] == nil || data["legalGround"] == nil {
			h.Errorf("recorded %v", data)
		}
		h.unbroken(olive.org)
		if _, _, err := h.app.EraseUser(h.Context(), mia.id); err != nil {
			h.Error(err)
		}
		if _, _, err := h.app.EraseUser(h.Context(), "mia@example.com"); err == nil {
			h.Error("the email address still belongs to an account")
		}
		if _, _, err := h.app.EraseUser(h.Context(), "olive@example.com"); err == nil || !strings.Contains(err.Error(), "only OWNER") {
			h.Errorf("the only OWNER: %v", err)
		}
		before := len(h.trail(olive.org))
		if err := h.app.Erasure().Orphan(h.Context(), mia.id, olive.org); err != nil || len(h.trail(olive.org)) != before {
			h.Errorf("the deletion of the organisation erases the account again: %d events after %d, %v", len(h.trail(olive.org)), before, err)
		}
	})
}

// former adds an event as a former version recorded it, with the address in the event itself.
func (h *harness) former(org tenant.ID, userID, ip string) {
	h.Helper()
	trail := h.trail(org)
	last := trail[len(trail)-1]
	e := audit.Event{
		ID: h.app.IDs.UUID(), OccurredAt: last.OccurredAt, Hub: "customs", Type: access.SignedOut, ResourceType: "user", ResourceID: userID,
		ActorUserID: userID, ActorType: tenant.ByUser, IPAddress: ip,
	}
	e.Seal(org, last.Sequence, last.Hash)
	driver, address := "sqlite", filepath.Join(h.app.Config.Data, sqlite.File)
	if h.app.Config.DatabaseURL != "" {
		driver, address = "pgx", h.app.Config.DatabaseURL
	}
	db, err := sql.Open(driver, address)
	h.must(err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	if driver == "pgx" {
		_, err = db.Exec("SELECT set_config('tidewaiter.org', '*', false)")
		h.must(err)
	}
	_, err = db.Exec("INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, actor_type, "+
		"key_id, request_id, ip_address, data, hash, previous_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', '', $9, $10, '', '', $11, '', $12, $13)",
		string(org), e.Sequence, e.ID, audit.Instant(e.OccurredAt), e.Hub, e.Type, e.ResourceType, e.ResourceID, e.ActorUserID, string(e.ActorType), e.IPAddress, e.Hash, e.PreviousHash)
	h.must(err)
}

// A legal hold keeps the personal values of held records; they are erased once it is lifted.
func TestHoldKeepsPersonalValues(t *testing.T) {
	each(t, func(h *harness) {
		olive := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(olive.org, tenant.Member, "mia@example.com")
		h.must(h.app.SetHold(h.Context(), olive.org, "", "An inquiry"))
		mia.post("/account/erase", "email", "mia@example.com").expect(h, http.StatusOK, "under a legal hold")
		held := func() bool {
			return slices.ContainsFunc(h.trail(olive.org), func(e audit.Event) bool {
				return e.ActorUserID == mia.id && bytes.Contains(e.AppendPersonal(nil), []byte("value"))
			})
		}
		_, all, err := h.app.EraseUser(h.Context(), mia.id)
		h.must(err)
		if !held() || all[0].Held == 0 {
			h.Errorf("the hold does not keep the values: %+v", all)
		}
		h.must(h.app.LiftHold(h.Context(), olive.org, "", "It is over"))
		if _, _, err := h.app.EraseUser(h.Context(), mia.id); err != nil || held() {
			h.Errorf("the values are still there, %v", err)
		}
		h.unbroken(olive.org)
	})
}

// An erasure that was interrupted after some pages starts again and finishes; only this person's values are erased.
func TestErasureGoesOn(t *testing.T) {
	each(t, func(h *harness) {
		olive := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(olive.org, tenant.Member, "mia@example.com")
		const many = 450 // more than two pages
		h.must(h.app.Store.Update(h.Context(), olive.org, func(tx *store.Tx) error {
			for n := range many {
				e := audit.Event{ID: h.app.IDs.UUID(), Hub: "customs", Type: []string{"b.seen", "a.seen"}[n%2], ResourceType: "r", ResourceID: "x"}
				call := mia.call()
				call.IPAddress = "192.0.2.7"
				if n%3 == 0 {
					call.UserID = olive.id
				}
				if err := tx.Record(audit.By(call, e)); err != nil {
					return err
				}
			}
			return nil
		}))
		s := h.app.Erasure()
		stopped := &stops{Store: s.Store, left: 2}
		s.Store = stopped
		if _, err := s.Finish(h.Context(), olive.org, mia.id, "operator"); err == nil {
			h.Fatal("the erasure was not interrupted")
		}
		s.Store = stopped.Store
		x, err := s.Finish(h.Context(), olive.org, mia.id, "operator")
		h.must(err)
		if want := int64(many*2/3 + 1); x.Values != want || x.Older != 0 { // and the sign-in
			h.Errorf("%+v, not %d values", x, want)
		}
		own := 0
		for _, e := range h.trail(olive.org) {
			shown := e.Shown()
			if e.ActorUserID == mia.id && shown.IPAddress != audit.Erased {
				h.Fatalf("event %d still has %s", e.Sequence, shown.IPAddress)
			}
			if e.ActorUserID == olive.id && shown.IPAddress == "192.0.2.7" {
				own++
			}
		}
		if own != many/3 {
			h.Errorf("the OWNER has %d addresses left", own)
		}
		h.unbroken(olive.org)
	})
}

// stops is a store that fails after some updates.
type stops struct {
	erasure.Store
	left int
}

func (s *stops) UpdateErasure(ctx context.Context, org tenant.ID, fn func(erasure.Tx) error) error {
	if s.left--; s.left < 0 {
		return errors.New("interrupted")
	}
	return s.Store.UpdateErasure(ctx, org, fn)
}
