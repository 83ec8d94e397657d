package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Where a second person must approve, the page of a draft says so. One person asks, another sees exactly what will be sent and
// approves it, and the first one submits it.
func TestApproval(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1366, 768, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := startDemo(t)
			owner := openWindow(t, p, size.width, size.height)
			owner.prefers(size.theme)
			owner.signIn(p.email, p.password)
			check := func(w *window, name string) { w.step("approval-" + size.name + "-" + name) }
			c := owner.caller("Warehouse system")
			c.send("PATCH", "/organisation", `{"approvalRequired":true}`)
			id := c.cottonExport()
			path, approval := "/declarations/"+id, "/approvals/declaration/"+id
			owner.visit("/settings")
			owner.sees("A second person must approve")
			check(owner, "setting")
			owner.visit(path)
			owner.sees("Approval needed")
			check(owner, "needed")
			owner.press("See what would be sent")
			owner.sees("What will be sent", "You made this declaration", "T-shirts", "1,850")
			check(owner, "own")
			owner.press("Ask for approval")
			owner.sees("You have asked for approval", "Waiting for approval")
			owner.visit("/approvals")
			owner.sees("Asked for by")
			check(owner, "list")
			owner.visit("/declarations?status=DRAFT")
			owner.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".rows tbody .mark input").forEach(mark => mark.click())`))
			owner.press("Ask for approval")
			owner.sees("What the reviews found", "It waits for approval already.", "Nothing is sent.")
			check(owner, "ask-many")
			owner.press("Ask for approval of the ")
			owner.sees("You have asked for approval of the marked records.", "Waiting for approval")
			check(owner, "waiting")

			max := openWindow(t, p, size.width, size.height)
			max.prefers(size.theme)
			max.signIn("max@example.com", p.password)
			max.visit(approval)
			max.do(chromedp.Click(chromedp.CSS("main details summary")))
			max.sees("Check what will be sent", "<?xml")
			check(max, "document")
			max.press("Approve")
			max.sees("You have approved it", "Exactly what is shown here will be sent")
			check(max, "approved")
			max.visit(path + "/submit")
			max.press("Submit to customs")
			max.sees("You approved this declaration, so another person has to submit it")
			check(max, "refused")

			owner.visit(path + "/submit")
			owner.sees("It can be submitted as it is")
			check(owner, "submit")
			owner.press("Submit to customs")
			owner.updatesTo("Customs")
		})
	}
}
