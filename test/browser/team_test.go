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
			w.fill("text", "@Max and @Samantha, please look.")
			w.press("Comment")
			w.sees("No member is called “Samantha”", "@Max Berth and @Samantha, please look.")
			if eval[float64](w, `document.querySelector(".notice").getBoundingClientRect().bottom`) > float64(size.height) || eval[float64](w, `scrollY`) > 0 {
				t.Error("the page does not begin with what was said about the names")
			}
			w.repeats(record, size.name)
			w.visit("/inbox")
			w.step("team-" + size.name + "-inbox")
			w.visit("/")
			w.step("team-" + size.name + "-home")
		})
	}
}

// repeats saves a declaration as a template and makes that repeat: the page shows the next dates before anything is saved. The
// page on which a declaration starts has the template.
func (w *window) repeats(record, size string) {
	w.visit(record)
	w.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
	w.fill("template-name", "Every Monday")
	w.follow(chromedp.Click(`form[action$="/template"] button`))
	w.press("Change")
	w.sees("Change template", "Save template")
	w.step("team-" + size + "-template-form")
	w.fill("template-name", "Every Monday morning")
	w.press("Save template")
	w.sees("The template is saved", "Every Monday morning")
	w.visit("/templates")
	w.press("New template")
	w.step("team-" + size + "-new-template")
	w.press("Save as template") // without a declaration
	w.sees("The declaration must be selected")
	w.visit("/templates")
	w.press("Every Monday morning")
	w.press("Repeat")
	w.press("Show the next dates")
	w.sees("Next dates", "Monday", "Nothing is saved yet")
	w.step("team-" + size + "-repeat")
	w.typeInto("recurrence.interval", "20")
	w.press("Save")
	w.sees("must be a whole number from 1 to 12")
	w.typeInto("recurrence.shipmentId", eval[string](w, `document.getElementById("recurrence.shipmentId").options[1].value`))
	w.step("team-" + size + "-repeat-wrong")
	w.typeInto("recurrence.interval", "2")
	w.press("Save")
	w.sees("The template repeats", "Next dates")
	w.step("team-" + size + "-template")
	w.visit("/declarations/new?form=steps")
	w.sees("Start from a template", "Every Monday morning")
	w.step("team-" + size + "-start")
}
