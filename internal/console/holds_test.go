package console_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// Every record page, generated or not, offers the evidence pack. While the record is under a legal
// hold, the page says so, with the date and the reason.
func TestRecordsAreHeld(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		declaration, period, returned := ofGoods(p), aPeriod(p), aReturn(p)
		pages := map[string]string{"/declarations/" + declaration: declaration, "/vat/periods/" + period: period, "/vat/returns/" + returned: returned}
		for path, id := range pages {
			a := p.get(path)
			a.expect(h, 200, `href="/records/`+id+`/evidence.zip"`, `<a class="quiet-step" href="/audit/holds?record=`+id+`"`)
			a.omits(h, "<strong>Legal hold</strong>")
			if pack := p.get("/records/" + id + "/evidence.zip"); pack.status != 200 || !strings.HasPrefix(pack.body, "PK") {
				h.Errorf("%s: %d %.40s", path, pack.status, pack.body)
			}
			p.post("/audit/holds", "record", id, "reason", "HMRC inquiry 4711").expect(h, http.StatusSeeOther)
			p.get(path).expect(h, 200, "<strong>Legal hold</strong>", "HMRC inquiry 4711", "This record is not deleted")
		}
		p.get("/audit/holds").expect(h, 200, ">declaration TW", ">VAT period ", ">VAT return ")
		viewer := h.member(p.org, tenant.Viewer, "vera@example.com")
		viewer.get("/audit/holds").expect(h, 200, "HMRC inquiry 4711")
		viewer.get("/audit/holds").omits(h, "Set legal hold", ">Lift<")
		p.post("/audit/holds", "record", "", "reason", "").expect(h, http.StatusBadRequest, "The reason must be")
		p.post("/audit/holds", "record", "nonsense", "reason", "x").expect(h, http.StatusBadRequest, "The record must be the id")
		for path, id := range pages {
			p.post("/audit/holds/lift", "held", id, "why", "closed").expect(h, http.StatusSeeOther)
			p.get(path).omits(h, "<strong>Legal hold</strong>")
		}
		p.get("/audit/holds").expect(h, 200, "No legal hold")
	})
}

// The holds page shows the newest holds and links to the older ones; the last page links back to
// the first.
func TestHoldsHavePages(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		for n := range 51 {
			client := p.file("client", map[string]any{"name": fmt.Sprintf("Client %d", n), "eori": "GB123456789000", "addressLine1": "1 Quay", "city": "Ipswich", "postcode": "IP1 1AA", "country": "GB"})
			p.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error {
				return retention.SetHold(tx, tenant.Call{Principal: tenant.System(p.org)}, h.app.IDs.UUID, client, "inquiry")
			}))
		}
		first := p.get("/audit/holds")
		first.expect(h, 200, ">client Client 50<", ">client Client 1<")
		first.omits(h, ">client Client 0<", "First page")
		_, next, _ := strings.Cut(first.body, `href="/audit/holds?`)
		next, _, _ = strings.Cut(next, `"`)
		second := p.get("/audit/holds?" + html.UnescapeString(next))
		second.expect(h, 200, ">client Client 0<", `href="/audit/holds">First page`)
		second.omits(h, ">client Client 1<", "Next page")
		p.get("/audit/holds?at=x&after=y").expect(h, http.StatusNotFound)
	})
}
