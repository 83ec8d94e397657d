package browser

import "testing"

// A clerk computes the declarations of the demo with another origin: the form with its errors and the result with its totals and
// rows pass axe-core and fit on a phone.
func TestWhatIf(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, desktop, 900)
	w.signIn(p.email, p.password)
	w.visit("/products")
	w.press("What if")
	w.sees("What changes on 1 January")
	w.everyLook("what-if form")
	w.press("Compute")
	w.sees("The change must say at least one thing")
	w.everyLook("what-if errors")
	w.fill("source", "declarations", "origin", "VN", "groupBy", "origin")
	w.press("Compute")
	path := eval[string](w, `location.pathname`)
	w.eventually(path, "Largest differences")
	w.sees("Due at the border", "Vietnam")
	w.everyLook("what-if result")
	w.visit("/what-if")
	w.sees("Import declarations from")
	w.everyLook("what-if list")
}
