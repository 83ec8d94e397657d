package browser

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/internal/document/pdf"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// entrySummary is a declaration for goods by sea with everything that HMRC needs.
func entrySummary() string {
	return fmt.Sprintf(`{"regime":"GB","filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star Lines","carrierEori":"GB345678912000",
		"consignorName":"Busan Kitchenware","consigneeName":"Harbour Kitchens Ltd","consigneeEori":"GB205672212000","transportDocNumber":"NSLU260411987",
		"portOfLoading":"KRPUS","portOfUnloading":"GBFXT","estimatedArrival":%q,"totalPackages":420,"totalGrossMassKg":3150.5,
		"goodsDescription":"Electric espresso machines","commodityCodes":["851671"],
		"message":{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"9431408","conRefNumHEA":"NS0412W"},
		"tRACONCO1":{"strAndNumCO122":"12 Haeyang-ro","posCodCO123":"49112","citCO124":"Busan","couCO125":"KR"},
		"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HK 1-420"}]}],
		"iTI":[{"couOfRouCodITI1":"KR"},{"couOfRouCodITI1":"GB"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000051"}}}`,
		time.Now().AddDate(0, 0, 20).UTC().Format(time.RFC3339))
}

// An entry summary declaration is rejected, mended on the console and accepted. The page before the submission says that it goes to the
// simulator; that of a declaration for the EU, which is not sent, says that its reference is a mock.
func TestEntrySummaryJourney(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_ENS_MODE=simulator")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("entry-summary-" + size.name + "-" + name) }
			forwarder := w.caller("Forwarder system")
			forwarder.send("POST", "/hubs/ics2", "")
			id := forwarder.send("POST", "/ics2/filings", entrySummary())
			path := "/hubs/ics2/filings/" + id
			w.visit(path)
			check("draft")
			forwarder.steer("/ics2/filings/"+id+"/submit", "reject")
			w.waitsForText(path, "Rejected", "Correct and send again", "A value is not allowed")
			check("rejected")
			w.press("Correct and send again")
			w.sees("This draft has the same details")
			check("form")
			w.put("totalPackages", "421")
			w.press("Save changes")
			w.sees("The changes are saved")
			w.press("Submit")
			w.sees("Submit this filing?", "The details are sent to the simulator of HMRC, whose answer sets the status and the reference.")
			if strings.Contains(w.text(), "mock") {
				t.Error("the page names a mock reference although HMRC's simulator gives one")
			}
			check("submit")
			w.press("Submit filing")
			mended := w.path()
			w.waitsForText(mended, "Accepted", "MRN")
			check("accepted")
			w.press("Messages")
			w.sees("Sent: submit", "Received: CC328A")
			check("messages")

			other := strings.NewReplacer(`"regime":"GB"`, `"regime":"EU"`).Replace(entrySummary())
			w.visit("/hubs/ics2/filings/" + forwarder.send("POST", "/ics2/filings", other[:strings.Index(other, `"message"`)]+`"reference":"X"}`) + "/steps/submit")
			w.sees("The MRN is a mock")
			if strings.Contains(w.text(), "sent to the simulator") {
				t.Error("a declaration for the EU is not sent")
			}
		})
	}
}

// steer submits a record with a wish to the simulator.
func (c caller) steer(path, wish string) {
	c.Helper()
	request, err := http.NewRequest(http.MethodPost, c.base+"/api"+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("X-Simulate", wish)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		c.Fatalf("%s: %s", path, response.Status)
	}
}

// A goods movement takes the MRNs of three declarations, is open, has a page for the driver that is one sheet of A4, and is checked in.
func TestGoodsMovementJourney(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_GVMS_MODE=simulator")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("goods-movement-" + size.name + "-" + name) }
			haulier := w.caller("Haulier system")
			haulier.send("POST", "/hubs/gvms", "")
			for i := range 3 {
				id := haulier.goods("Men's knitted cotton T-shirts", fmt.Sprintf("INV-%d", i))
				haulier.send("POST", "/cds/submit", fmt.Sprintf(`{"declarationId":%q}`, id))
				w.waitsForText("/declarations/"+id, "Cleared")
			}
			w.visit("/hubs/gvms/movements/new")
			w.put("routeFrom", "FRCQF", "routeTo", "GBDVR", "vehicleReg", "AB24 CDE", "crossingDate", london(time.Now().Add(3*time.Hour)))
			w.press("Choose the declarations on the vehicle")
			check("choice")
			for i := range 3 {
				w.do(chromedp.Click(chromedp.ID(fmt.Sprint("take-", i))))
			}
			w.press("Take from the chosen")
			w.sees("Taken from")
			check("form")
			w.press("Save movement")
			w.sees("The record is saved")
			path := w.path()
			w.waitsForText(path, "Open", "GMRA")
			check("open")
			w.press("For the driver")
			w.sees("Show this at check-in", "AB24 CDE")
			check("driver")
			if sheets := w.printed("goods-movement-" + size.name + "-driver"); sheets != 1 {
				t.Errorf("the page for the driver is %d pages of paper", sheets)
			}
			w.visit(path)
			w.press("Change")
			w.put("crossingDate", london(time.Now().Add(30*time.Minute)))
			w.press("Save changes")
			w.waitsForText(path, "Checked in")
			check("checked-in")
			if eval[bool](w, `[...document.querySelectorAll("main .buttons a")].some((a) => a.textContent === "Change")`) {
				t.Error("a record that is checked in can be changed")
			}
		})
	}
}

// path is the path of the open page.
func (w *window) path() string {
	w.Helper()
	return eval[string](w, `location.pathname`)
}

// london writes an instant as a person types it: in London time, to the minute.
func london(at time.Time) string { return at.In(calendar.London()).Format("2006-01-02T15:04") }

// printed prints the open page on A4, as its style sheet says, and returns the number of sheets.
func (w *window) printed(name string) (sheets int) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepLimit)
	defer cancel()
	yes := true
	document, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		printed, err := cdp.Call(ctx, t, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PreferCSSPageSize: &yes, PrintBackground: &yes})
		return printed.Data, err
	})
	if err != nil {
		w.Fatal(err)
	}
	if folder := os.Getenv("TIDEWAITER_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+".pdf"), document, 0o600); err != nil {
			w.Error(err)
		}
	}
	if _, err := pdf.Read(w.Context(), document, func([]pdf.Glyph) { sheets++ }); err != nil {
		w.Fatal(err)
	}
	return sheets
}
