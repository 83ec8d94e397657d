package console_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An accepted declaration is amended in the form of its correction: the user sees what changes before and after, gives a reason,
// and the page lists the request, its changes and the new version. What is not amended cannot be changed.
func TestAmendDeclaration(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
	id := owner.declareOn("Men's T-shirts", "SIM-G0-1")
	path, form := "/declarations/"+id, "/declarations/form/"+id
	owner.get(path+"/amend").expect(h, 400, "registered, accepted or cleared")
	owner.post(path+"/submit").expect(h, 303)
	owner.until(path, path+"/amend\">Amend")
	if at := owner.get(path + "/amend").redirect(h); at != form+"/check" {
		h.Errorf("the form is at %s", at)
	}
	check := owner.get(form + "/check")
	check.expect(h, 200, "Amend declaration", "Show the changes")
	for _, not := range []string{form + "/journey", form + "/what", "Save changes", "continue to submit"} {
		if strings.Contains(check.body, not) {
			h.Errorf("the form of an amendment has %q", not)
		}
	}
	owner.get(form+"/amend").expect(h, 400, "change nothing that is declared")
	owner.post(form+"/goods", "item", "1", "items[0].description", "Women's linen shirts", "go", "step:check").expect(h, 303)
	if at := owner.post(form+"/check", "go", "save").redirect(h); at != form+"/amend" {
		h.Errorf("after the form comes %s", at)
	}
	onePage := owner.get(form + "/page")
	onePage.expect(h, 200, "Amend declaration", "Show the changes", `value="Women&#39;s linen shirts"`)
	if strings.Contains(onePage.body, "part-transport") || strings.Contains(onePage.body, "Save and continue to submit") {
		h.Error("the form of an amendment on one page changes the shipment, or submits")
	}
	if at := owner.post(form+"/page", "items[0].description", "Women's linen shirts", "shipment.portOfEntry", "GBDVR", "go", "save").redirect(h); at != form+"/amend" {
		h.Errorf("after the form on one page comes %s", at)
	}
	shown := owner.get(form + "/amend")
	shown.expect(h, 200, "Item 1, description", "Men&#39;s T-shirts", "Women&#39;s linen shirts", "Request amendment", "A weight or quantity is amended")
	if owner.stored("declaration", id).Status != "ACCEPTED" || strings.Contains(owner.get(path).body, "Requests and versions") {
		h.Error("the amendment was sent before it was confirmed")
	}
	_, version, _ := strings.Cut(shown.body, `name="version" value="`)
	version, _, _ = strings.Cut(version, `"`)
	owner.post(form+"/amend", "version", version, "reasonCode", "22", "reason", "").expect(h, 400, "must have 1 to 512 characters", "Women&#39;s linen shirts")
	owner.post(form+"/amend", "version", "1", "reasonCode", "22", "reason", "Wrong").expect(h, 412, "Women&#39;s linen shirts")
	if at := owner.post(form+"/amend", "version", version, "reasonCode", "22", "reason", "The packing list was wrong").redirect(h); !strings.HasPrefix(at, path+"?done=amendment-requested") {
		h.Errorf("after the request comes %s", at)
	}
	owner.until(path, "Customs has version 2")
	owner.get(path).expect(h, 200, "Requests and versions", "Granted", "The packing list was wrong", "reason code 22", "Item 1, description", "owner requested an amendment", "Customs answered the request (DMSREQ)")
	h.must(h.app.Store.View(h.Context(), owner.org, func(tx *store.Tx) error {
		left, err := tx.Worksheets(owner.id)
		if len(left) > 0 {
			h.Errorf("the worksheet is still there: %v", left)
		}
		return err
	}))
}

// A demand with a day is shown with it.
func TestDemandWithADay(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	h.must(h.app.Store.Update(h.Context(), owner.org, func(tx *store.Tx) error { return equip(tx) }))
	id := owner.declareOn("Men's T-shirts", "SIM-D0-1")
	owner.post("/declarations/"+id+"/submit").expect(h, 303)
	owner.until("/declarations/"+id, "Send customs the documents that it asked for")
}
