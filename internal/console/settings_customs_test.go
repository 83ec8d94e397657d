package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// organisation reads the user's organisation.
func (p *user) organisation() (o access.Organisation) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) { o, err = tx.Organisation(); return err }))
	return o
}

// Accounts, guarantees and authorisations are set on their own page, with rows that are added without scripts and all errors at
// once. Other settings of the organisation do not remove them.
func TestCustomsSettings(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "customs-settings@example.com")
	const path = "/settings/customs"
	p.get(path).expect(h, http.StatusOK, "Method of payment", "Guarantee", "4/8", "Add authorisation", `<input type="date" name="representationAuthority.until"`)
	p.post(path, "paymentMethod", "E", "add", "authorisations").expect(h, http.StatusOK, `name="authorisations[0].type"`, `name="authorisations[0].warehouse.id"`, `value="E"`)
	p.post(path, "xiEori", "XI1", "vatDefermentAccount", "1", "authorisations[0].number", "GBDPO1108654").expect(h, http.StatusBadRequest,
		"EORI number for Northern Ireland must look like", "Deferment account for VAT must look like", "Type of authorisation is required", `value="GBDPO1108654"`)
	p.post(path, "paymentMethod", "E", "authorisations[0].type", "DPO", "authorisations[0].number", "GBDPO1108654", "authorisations[0].validUntil", "2027-12-31",
		"guarantees[0].type", "1", "guarantees[0].reference", "GBCGU553202734852", "guarantees[0].accessCode", "7391", "representationAuthority.from", "2026-01-01", "do", "save").redirect(h)
	p.post("/settings", "name", "Quay Ltd", "city", "Hull").redirect(h)
	o := p.organisation()
	if o.Profile.City != "Hull" || o.Profile.PaymentMethod != "E" || len(o.Profile.Authorisations) != 1 || o.Profile.Authorisations[0].ValidUntil != "2027-12-31" ||
		len(o.Profile.Guarantees) != 1 || o.Profile.RepresentationAuthority.From != "2026-01-01" {
		t.Errorf("%+v", o.Profile)
	}
	if page := p.get(path).body; !strings.Contains(page, `value="GBCGU553202734852"`) || !strings.Contains(page, `value="****"`) || strings.Contains(page, "7391") {
		t.Errorf("the page lacks the guarantee, or shows its access code: %s", main(page))
	}
	p.post(path, "guarantees[0].type", "1", "guarantees[0].reference", "GBCGU553202734852", "guarantees[0].accessCode", "****", "do", "save").redirect(h)
	p.post(path, "guarantees[0].type", "1", "guarantees[0].reference", "OTHER", "guarantees[0].accessCode", "****", "do", "save").expect(h, http.StatusBadRequest, "Access code")
}

// The pages of a shipment and a client have the members that declarations inherit, with their labels, code lists and data
// elements.
func TestFieldsOfShipmentsAndClients(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "shipment-fields@example.com")
	client := p.record("client", `{"name":"Canary","eori":"GB123456789000","country":"GB"}`)
	page := p.get("/shipments/new?clientId=" + client)
	page.expect(h, http.StatusOK, "Location of goods", "5/23", "Identity of active means of transport crossing the border", "RoRo", `name="transport.border.id"`, "Add container",
		`name="security.carrier.eori"`)
	if strings.Contains(page.body, `name="transport.border.type"`) {
		t.Error("a member that no data set has is shown")
	}
	at := p.post("/shipments/new", "clientId", client, "portOfEntry", "GBFXT", "transportMode", "SEA", "transport.border.mode", "6", "location.country", "united kingdom", "location.name", "AUFXTFXTFXT",
		"equipment[0].container", "MSKU1234565", "equipment[0].seals[0].id", "17583753", "do", "save").redirect(h)
	p.get(at).expect(h, http.StatusOK, "RoRo", "17583753", "7/18", "United Kingdom")
	p.get("/clients/"+client+"/edit").expect(h, http.StatusOK, "UK Internal Market Scheme authorisation", "Authority to charge the deferment account", "Standing authority", "Add guarantee")
}
