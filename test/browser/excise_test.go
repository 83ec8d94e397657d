package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
)

// An excise movement goes from the draft to the receipt: HMRC's simulator gives the ARC, and the consignee reports what arrived. A report with a fault is shown again.
func TestExciseJourney(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_EMCS_MODE=simulator")
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			check := func(name string) { w.step("excise-" + size.name + "-" + name) }
			warehouse := w.caller("Warehouse system")
			warehouse.send("POST", "/hubs/emcs", "")
			content, err := emcstest.Draft(emcs.V323, time.Now()).JSON()
			if err != nil {
				t.Fatal(err)
			}
			path := "/hubs/emcs/movements/" + warehouse.send("POST", "/emcs/movements", fmt.Sprintf(`{"message":%s}`, content))
			w.visit(path)
			check("draft")
			w.press("Submit")
			w.press("Submit movement")
			w.waitsForText(path, "In transit", "Report the receipt")
			check("accepted")
			w.press("Report the receipt")
			w.sees("Sends the consignee’s report of receipt")
			check("form")
			w.put("conclusion", "9")
			w.press("Send")
			w.sees("There is a problem", "Arrived on is required")
			check("faults")
			w.put("conclusion", "1", "arrivedOn", time.Now().UTC().Format(time.DateOnly))
			w.press("Send")
			w.sees("The message is sent")
			w.waitsForText(path, "Delivered")
			check("delivered")
		})
	}
}
