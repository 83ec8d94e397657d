package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// A declaration is assigned and commented on its page, the marked rows of lists are assigned in one step, and the home page and the
// inbox show what is the user's. A comment without a text is asked for again on a page of its own.
func TestTeam(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"laptop", 1366, 768, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := startDemo(t)
			w := openWindow(t, p, size.width, size.height)
			w.signIn(p.email, p.password)
			w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, size.theme)))
			w.visit("/declarations")
			record := eval[string](w, `document.querySelector(".rows tbody th a").getAttribute("href")`)
			me := eval[string](w, `[...document.querySelectorAll("#assign-to option")].find(o => o.text.endsWith("(you)")).value`)
			if eval[bool](w, `![...document.querySelectorAll("button[data-marked]")].every(b => b.disabled)`) {
				t.Error("nothing is marked, but a button can be pressed")
			}
			w.do(chromedp.Click(`.rows tbody .mark input`))
			w.fill("assign-to", me)
			w.step("team-" + size.name + "-marked")
			w.follow(chromedp.Click(`button[formaction="/marked/assign"]`))
			w.sees("The marked records are assigned.")
			w.visit("/declarations?assignee=me")
			w.step("team-" + size.name + "-mine")
			w.visit(record)
			w.press("Comment") // without a text
			w.sees("The comment")
			w.step("team-" + size.name + "-comment")
			w.fill("text", "The supplier confirmed the origin by telephone. Please add the statement to the documents.")
			w.press("Comment")
			w.sees("The comment is added.", "The supplier confirmed the origin")
			w.step("team-" + size.name + "-record")
			w.visit("/inbox")
			w.step("team-" + size.name + "-inbox")
			w.visit("/")
			w.step("team-" + size.name + "-home")
		})
	}
}
