package console_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// deleteDue deletes what is due; it retries while the service runs its own deletion.
func (h *harness) deleteDue() {
	h.Helper()
	for range 1000 {
		ran, err := h.app.DeleteClosed(h.Context())
		h.must(err)
		if ran {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.Fatal("another deletion does not finish")
}

// has reports whether the organisation has a record.
func (p *user) has(kind, id string) bool {
	p.Helper()
	err := p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error { _, err := tx.Filing(kind, id); return err })
	if err != nil && !apierr.Is(err, apierr.NotFound) {
		p.Fatal(err)
	}
	return err == nil
}

// linked returns the shipment and the client of a declaration.
func (p *user) linked(declaration string) (shipment, client string) {
	p.Helper()
	var d struct{ ShipmentID string }
	var s struct{ ClientID string }
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := tx.Filing("declaration", declaration)
		if err == nil {
			err = json.Unmarshal(f.Body, &d)
		}
		if err == nil {
			f, err = tx.Filing("shipment", d.ShipmentID)
		}
		if err == nil {
			err = json.Unmarshal(f.Body, &s)
		}
		return err
	}))
	return d.ShipmentID, s.ClientID
}

// rows counts the organisation's rows in a table.
func (p *user) rows(table string) (n int64) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) { n, err = tx.CountRows(table); return err }))
	return n
}

func (p *user) hold(record string, set bool) {
	p.Helper()
	if set {
		p.must(p.app.SetHold(p.Context(), p.org, record, "inquiry"))
		return
	}
	p.must(p.app.LiftHold(p.Context(), p.org, record, "closed"))
}

// verifyAllTrails verifies the audit log and the records of every organisation.
func (h *harness) verifyAllTrails() {
	h.Helper()
	all, err := h.app.VerifyAudit(h.Context(), "", nil)
	h.must(err)
	for _, v := range all {
		if !v.OK() || v.Records == nil {
			h.Errorf("%s: %s %+v", v.OrganisationID, v.Problem, v.Records)
		}
	}
}

// deletions returns the data of the deletion events.
func (p *user) deletions() (all []map[string]any) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error {
			if e.Type != closure.Deleted {
				return nil
			}
			var data map[string]any
			all = append(all, data)
			return json.Unmarshal(e.Data, &all[len(all)-1])
		})
	}))
	return all
}

func slowly(c *config.Config) { c.SimulatorDelay = 100 * time.Millisecond }

const aTSSDraft = `{"movementType":"GB_NI","traderEori":"XI1","consignorName":"A","consigneeName":"B","commodityCode":"940340","goodsDescription":"Cupboards","netMassKg":1,"scheduledDispatchAt":"2018-12-01T09:00:00Z"}`

// CDS messages are still stored and applied while the organisation is closed. Drafts and settings
// are deleted after 30 days, not sooner. Submitted records, records they refer to and records under
// a legal hold stay until the hold is lifted and the retention period ends. The audit log verifies
// at every step. Another organisation, and a user who also belongs to it, lose nothing.
func TestDeletion(t *testing.T) {
	each(t, func(h *harness) {
		h.advance(-8 * 365 * 24 * time.Hour)
		owner, theirs := h.owner("Quay Ltd", "olive@example.com"), h.owner("Harbour Ltd", "harry@example.com")
		both := h.member(owner.org, tenant.Member, "bo@example.com")
		h.join(theirs.org, both.id, tenant.Member)
		for _, p := range []*user{owner, theirs} {
			p.enable("tss")
			h.withKey(p.key(tenant.Owner), "POST", "/api/webhooks/endpoints", `{"url":"https://example.com/hook"}`).expect(h, 200)
			p.get("/declarations/new")
			aView(p)
			anUpload(p)
			anInvitation(p)
			p.post("/settings/data/exports").expect(h, 303)
		}
		sent, draft, held := owner.declare("T-shirts"), owner.declare("Socks"), owner.declare("Gloves")
		theirDraft := theirs.declare("Hats")
		unused := owner.file("client", map[string]any{"name": "Unused Ltd"})
		tssDraft, tssSent := aFiling("tss.declaration", aTSSDraft)(owner), aFiling("tss.declaration", aTSSDraft, lifecycle.Submit)(owner)
		tssCancelled := aFiling("tss.declaration", aTSSDraft, lifecycle.Cancel)(owner)
		vehicle := aFiling("gvms.movement", `{"routeFrom":"FRCQF","routeTo":"GBDVR","vehicleReg":"AB24CDE"}`)(owner)
		owner.hold(held, true)
		owner.post("/declarations/"+sent+"/submit").expect(h, 303)
		owner.json("DELETE", "/api/organisation", "name", "Quay Ltd").expect(h, 200)
		h.cleared(owner, sent)
		if owner.rows("messages") == 0 {
			t.Error("no CDS message was stored")
		}
		before := map[string]int64{}
		for _, table := range []string{"filings", "events", "api_keys", "memberships", "endpoints", "notices", "list_views", "uploads", "invitations", "organisation_exports"} {
			if before[table] = theirs.rows(table); before[table] == 0 {
				t.Errorf("the other organisation has no %s", table)
			}
		}

		h.advance(closure.Delay - time.Second)
		h.deleteDue()
		if !owner.has("declaration", draft) || owner.rows("memberships") != 2 || slices.Contains(h.events(owner.org), closure.Deleted) {
			t.Fatal("something was deleted too soon")
		}
		h.advance(time.Second)
		h.deleteDue()

		sentShipment, sentClient := owner.linked(sent)
		heldShipment, heldClient := owner.linked(held)
		for id, kind := range map[string]string{sent: "declaration", held: "declaration", sentShipment: "shipment", heldShipment: "shipment", sentClient: "client", heldClient: "client", tssSent: "tss.declaration"} {
			if !owner.has(kind, id) {
				t.Errorf("the %s %s was deleted", kind, id)
			}
		}
		for id, kind := range map[string]string{draft: "declaration", unused: "client", tssDraft: "tss.declaration", tssCancelled: "tss.declaration", vehicle: "gvms.movement"} {
			if owner.has(kind, id) {
				t.Errorf("the %s %s was not deleted", kind, id)
			}
		}
		if n := owner.rows("filings"); n != 7 {
			t.Errorf("%d records were not deleted", n)
		}
		for _, table := range []string{"api_keys", "memberships", "feeds", "invitations", "endpoints", "list_views", "uploads", "worksheets", "organisation_exports",
			"mails", "ended_sessions", "idempotency_records", "search_blocks", "deletion_marks"} {
			if n := owner.rows(table); n != 0 {
				t.Errorf("%d rows of %s were not deleted", n, table)
			}
		}
		if n, jobs := owner.values(), owner.rows("jobs"); n != 1 || jobs != 1 {
			t.Errorf("%d addresses of the former owner and %d jobs remain; want only the address of the held record's event and the job that erases it", n, jobs)
		}
		for _, table := range []string{"transmissions", "messages", "events", "holds"} {
			if owner.rows(table) == 0 {
				t.Errorf("all rows of %s were deleted", table)
			}
		}
		h.verifyAllTrails()
		for table, want := range before {
			if n := theirs.rows(table); n < want { // its own events go on
				t.Errorf("the other organisation has %d rows of %s, not %d", n, table, want)
			}
		}
		if !theirs.has("declaration", theirDraft) {
			t.Error("another organisation's draft was deleted")
		}
		events := owner.deletions()
		if len(events) != 1 {
			t.Fatalf("%d events of the deletion", len(events))
		}
		removed, kept := events[0]["removed"].(map[string]any), events[0]["kept"].(map[string]any)
		if removed["declaration"] != 1.0 || removed["tss.declaration"] != 2.0 || removed["client"] != 2.0 || removed["shipment"] != 1.0 || removed["gvms.movement"] != 1.0 ||
			removed["memberships"] != 2.0 || removed["api_keys"] != 2.0 || kept["filings"] != 7.0 || kept["holds"] != 1.0 || !strings.Contains(events[0]["grounds"].([]any)[0].(map[string]any)["law"].(string), "1995") {
			t.Errorf("the event contains %v", events[0])
		}

		h.advance(time.Hour)
		if a := h.visitor().post("/sign-in", "email", owner.email, "password", password); a.status != 401 {
			t.Errorf("the former owner signs in: %d", a.status)
		}
		both.signIn()
		both.get("/").expect(h, 200, "Harbour Ltd")
		var users []access.User
		h.must(h.app.Store.View(t.Context(), tenant.Operator, func(tx *store.Tx) error {
			for _, id := range []string{owner.id, both.id} {
				u, _, err := tx.User(id)
				if err != nil {
					return err
				}
				users = append(users, u)
			}
			return nil
		}))
		if u := users[0]; u.Name != "erased" || u.Email != "" || u.Password != "" {
			t.Errorf("the former owner is still stored as %+v", u)
		}
		if users[1].Email != both.email {
			t.Errorf("the user of two organisations is stored as %+v", users[1])
		}
		if _, err := h.app.RestoreOrganisation(t.Context(), owner.org); !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("restored after the deletion: %v", err)
		}
		found := false
		h.must(h.app.EachOrganisation(t.Context(), func(o access.Organisation) error {
			if o.ID == owner.org {
				found = o.Closing.Begun && !o.Closing.DeletedAt.IsZero()
			}
			return nil
		}))
		var archive bytes.Buffer
		h.must(h.app.ExportOrganisation(t.Context(), owner.org, &archive))
		if !found || !inArchive(t, archive.Bytes(), "declaration.jsonl", sent) || inArchive(t, archive.Bytes(), "declaration.jsonl", draft) {
			t.Error("the operator does not see which records stay")
		}

		owner.hold(held, false)
		h.deleteDue()
		if owner.has("declaration", held) || owner.has("shipment", heldShipment) || owner.has("client", heldClient) || !owner.has("declaration", sent) || len(owner.deletions()) != 2 {
			t.Error("after the hold the wrong records remain")
		}
		h.verifyAllTrails()
		h.deleteDue()
		if len(owner.deletions()) != 2 {
			t.Error("a deletion without rows records an event")
		}
		h.advance(25 * time.Hour)
		owner.erasedAll()

		h.advance(8 * 365 * 24 * time.Hour)
		report, err := h.app.ApplyRetention(t.Context(), false)
		h.must(err)
		if report[retention.Records] == 0 || owner.has("declaration", sent) || owner.has("tss.declaration", tssSent) {
			t.Errorf("the retention removed %v", report)
		}
		h.deleteDue()
		if n := owner.rows("filings"); n != 0 {
			t.Errorf("%d records remain after the retention period", n)
		}
		h.verifyAllTrails()
	}, slowly)
}

// erasedAll waits until the audit log holds no IP address of the person.
func (p *user) erasedAll() {
	p.Helper()
	for deadline := time.Now().Add(3 * time.Minute); p.values() > 0 || p.rows("jobs") > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatalf("%d addresses and %d jobs remain", p.values(), p.rows("jobs"))
		}
	}
}

// values counts the stored IP addresses of events that the person caused.
func (p *user) values() (n int) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error {
			for i := range e.Personal {
				if v := &e.Personal[i]; e.ActorUserID == p.id && v.IsAddress() && !v.Erased() {
					n++
				}
			}
			return nil
		})
	}))
	return n
}

// cleared waits until CDS has cleared a declaration.
func (h *harness) cleared(p *user, id string) {
	h.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var status lifecycle.State
		h.must(h.app.Store.View(h.Context(), p.org, func(tx *store.Tx) error {
			f, err := tx.Filing("declaration", id)
			status = f.Status
			return err
		}))
		if status == "CLEARED" {
			return
		}
		if time.Now().After(deadline) {
			h.Fatalf("the declaration is %s", status)
		}
	}
}

// inArchive reports whether a file of an archive has a text.
func inArchive(t testing.TB, data []byte, name, text string) bool {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	return strings.Contains(body.String(), text)
}

// While the whole organisation is under a hold, its ways to sign in are deleted and all data stays.
func TestDeletionUnderHold(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		draft := owner.declare("Socks")
		anUpload(owner)
		owner.hold("", true)
		owner.json("DELETE", "/api/organisation", "name", "Quay Ltd").expect(h, 200)
		h.advance(closure.Delay)
		h.deleteDue()
		if !owner.has("declaration", draft) || owner.rows("uploads") != 1 || owner.rows("memberships") != 0 || owner.rows("api_keys") != 0 {
			t.Error("the wrong data remains under a hold")
		}
		h.verifyAllTrails()
		owner.hold("", false)
		h.deleteDue()
		if owner.has("declaration", draft) || owner.rows("uploads") != 0 {
			t.Error("the data remains after the hold")
		}
		h.verifyAllTrails()
	})
}

// Restored in time, an organisation has all its data.
func TestRestoreKeepsAll(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		draft := owner.declare("Socks")
		anUpload(owner)
		aView(owner)
		tables := map[string]int64{}
		for _, table := range []string{"filings", "memberships", "uploads", "list_views"} {
			tables[table] = owner.rows(table)
		}
		owner.json("DELETE", "/api/organisation", "name", "Quay Ltd").expect(h, 200)
		h.advance(closure.Delay - 24*time.Hour)
		owner.signIn()
		owner.json("POST", "/api/organisation/restore").expect(h, 200)
		h.advance(2 * closure.Delay)
		h.deleteDue()
		for table, want := range tables {
			if n := owner.rows(table); n != want {
				t.Errorf("%d rows of %s, not %d", n, table, want)
			}
		}
		owner.signIn()
		owner.get("/declarations/"+draft).expect(h, 200, "Socks")
	})
}
