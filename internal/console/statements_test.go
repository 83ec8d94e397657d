package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Amounts are accepted as people type them. Each invalid amount is named and stays in the form.
func TestTypedAmounts(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	period := "/vat/periods/" + aPeriod(owner)
	bad := owner.post(period+"/draw", "box1VatDueSales", "1.234,50", "box6TotalSales", "a lot", "box7TotalPurchases", "7")
	bad.expect(t, http.StatusBadRequest, "Box 1 must be an amount in pounds", "Box 6 must be an amount in pounds", `value="1.234,50"`, `value="a lot"`, `value="7"`)
	large := owner.post(period+"/draw", "box1VatDueSales", "99999999999", "box2VatDueAcquisitions", "1")
	large.expect(t, http.StatusBadRequest, "There is a problem")
	drawn := owner.post(period+"/draw", "box1VatDueSales", " £ 1,234.50 ", "box4AdditionalReclaim", "−84.20", "box6TotalSales", "-6,000.99")
	if drawn.status != http.StatusSeeOther {
		t.Fatalf("%d %s", drawn.status, main(drawn.body))
	}
	shown := owner.get(drawn.header.Get("Location"))
	if strings.Contains(shown.body, "vatNumber of") {
		t.Errorf("a rule mentions API fields: %s", main(shown.body))
	}
	shown.expect(t, http.StatusOK, "£1,234.50", "−£84.20", "£1,318.70", "−£6,000", "TAX-020", "created it", "The return is prepared")
	owner.get(period).expect(t, http.StatusOK, `value="1234.50"`, `value="-84.20"`, `value="-6000"`, "Prepare again")
}

// A return whose period runs is not called ready, though nothing in it is wrong.
func TestReturnBeforeThePeriodEnds(t *testing.T) {
	h := openAt(t, time.Date(2024, 1, 10, 9, 0, 0, 0, time.UTC), storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	shown := owner.get("/vat/returns/" + aReturn(owner))
	shown.expect(t, http.StatusOK, "TAX-029", "Do not submit it yet.")
	if strings.Contains(shown.body, "Ready to submit") || regexp.MustCompile(`class="button" href="[^"]*/submit"`).MatchString(shown.body) {
		t.Error("a return is offered as ready before its period has ended")
	}
	later := openAt(t, time.Date(2024, 4, 10, 9, 0, 0, 0, time.UTC), storetest.SQLite(t))
	owner = later.owner("Quay Ltd", "olive@example.com")
	owner.get("/vat/returns/"+aReturn(owner)).expect(t, http.StatusOK, "Ready to submit")
}

// The declarations in box 4 of a return lead to their pages.
func TestDeclarationsOfAReturn(t *testing.T) {
	at := time.Date(2024, 1, 10, 9, 0, 0, 0, time.UTC)
	h := openAt(t, at, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	vat := []filing.Posting{{Ledger: customs.ImportVAT, At: at, Amount: 1_500}}
	h.file(owner.org, record{kind: "declaration", status: "CLEARED", created: "2024-01-10T09:00:00Z", added: `{"lrn":"LRN-1","mrn":null}`, postings: vat})
	declaration := owner.newest("declaration", "CLEARED")[0]
	owner.get("/vat/returns/"+aReturn(owner)+"/imports").expect(t, http.StatusOK, "£15.00 of 1 declaration", `<a href="/declarations/`+declaration.ID+`">LRN-1</a>`)
}

// A step that ends a record has a way back that is not called “Cancel”, and one that takes nothing away is not red.
func TestButtonsThatConfirm(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	owner.enable("trade", "cbam")
	cancel := owner.get("/hubs/trade/licences/" + aFiling("trade.licence", aLicence)(owner) + "/steps/cancel")
	cancel.expect(t, http.StatusOK, `class="button danger">Cancel licence`, "No, go back")
	if strings.Contains(cancel.body, ">Cancel<") {
		t.Error("the way back from a cancellation is called “Cancel”")
	}
	owner.get("/cbam/reports/"+aReport(owner)+"/submit").expect(t, http.StatusOK, `class="button">Submit report`)
	owner.get("/cbam/reports/"+aReport(owner)+"/delete").expect(t, http.StatusOK, `class="button danger">Delete`)
}

// The buttons that change a statement are shown only to roles that may use them, and only while the
// statement can be changed.
func TestStatementsByRole(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	member, viewer := h.member(owner.org, tenant.Member, "mia@example.com"), h.member(owner.org, tenant.Viewer, "vera@example.com")
	pages := map[string][2]string{
		"/vat/returns/" + aReturn(owner): {"Submit return", "Mark as accepted"},
		"/cbam/quarters/2023-Q4":         {"Submit report", "Mark as accepted"},
	}
	report := aReport(owner)
	shows := func(who *user, path, what string) bool {
		a := who.get(path)
		a.expect(t, http.StatusOK)
		return strings.Contains(main(a.body), ">"+what+"<")
	}
	for path, buttons := range pages {
		if shows(viewer, path, buttons[0]) || !shows(member, path, buttons[0]) || shows(owner, path, buttons[1]) {
			t.Errorf("%s as a draft", path)
		}
	}
	aSubmittedReturn(owner)
	owner.submitted("cbam.report", report)
	for path, buttons := range pages {
		if shows(owner, path, buttons[0]) || shows(member, path, buttons[1]) || !shows(owner, path, buttons[1]) {
			t.Errorf("%s as submitted", path)
		}
	}
	again := owner.post("/cbam/quarters/2023-Q4/draw")
	again.expect(t, http.StatusBadRequest, "There is a problem")
}

// A quarter that has not begun, or that is before CBAM began, is answered 404, as is an invalid list
// cursor.
func TestNoSuchQuarter(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	for _, path := range []string{"/cbam/quarters/2099-Q1", "/cbam/quarters/2023-Q3", "/cbam/quarters/5", "/cbam/quarters/2026-Q3?after=x", "/cbam/quarters/2026-Q3?after=" + h.app.IDs.UUID()} {
		owner.get(path).expect(t, http.StatusNotFound)
	}
	owner.post("/cbam/quarters/2099-Q1/draw").expect(t, http.StatusNotFound)
}

// Long lists are paged; each import is listed once, and the last page links to the first.
func TestImportsOfQuarter(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	const imports = 30
	for n := range imports {
		owner.store("cbam.import", map[string]any{"category": "CEMENT", "commodityCode": fmt.Sprintf("2523%04d", n), "countryOfOrigin": "EG", "netMassKg": 1000})
	}
	next, seen := "/cbam/quarters/"+quarterNow(h), map[string]bool{}
	for pages := 1; next != ""; pages++ {
		a := owner.get(next)
		a.expect(t, http.StatusOK)
		for _, code := range regexp.MustCompile(`2523\d{4}`).FindAllString(main(a.body), -1) {
			seen[code] = true
		}
		if pages == 2 && !strings.Contains(a.body, "First page") || pages > 2 {
			t.Fatalf("page %d: %s", pages, main(a.body))
		}
		next = ""
		if found := regexp.MustCompile(`href="([^"#]+)[^"]*" rel="next"`).FindStringSubmatch(a.body); found != nil {
			next = strings.ReplaceAll(found[1], "&amp;", "&")
		}
	}
	if len(seen) != imports {
		t.Errorf("%d of %d imports are shown", len(seen), imports)
	}
}

// A report is readable: it shows no import IDs, no sector or country codes without names, and no API
// field names.
func TestReportInWords(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	for n := range 3 {
		owner.store("cbam.import", map[string]any{"category": "IRON_STEEL", "commodityCode": fmt.Sprintf("7601%04d", n), "countryOfOrigin": "EG", "netMassKg": 2_000_000_000, "customsValueGbp": 1})
	}
	quarter := "/cbam/quarters/" + quarterNow(h)
	owner.post(quarter + "/draw").redirect(t)
	a := owner.get(quarter)
	a.says(t, "from Egypt (EG)", "is stated as iron and steel but belongs to aluminium", "Iron and steel", "the net mass is in kilograms", "Egypt (EG) 3 ")
	if raw := regexp.MustCompile(`from EG|\(import |IRON_STEEL|ALUMINIUM|netMassKg|customsValueGbp`).FindString(words(a.body)); raw != "" {
		t.Errorf("contains %q: %s", raw, words(a.body))
	}
}

func quarterNow(h *harness) string {
	now := h.clock().UTC()
	return fmt.Sprintf("%d-Q%d", now.Year(), (int(now.Month())+2)/3)
}
