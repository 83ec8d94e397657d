package browser

import (
	"slices"
	"strings"
	"testing"
)

// The goods of a pre-lodged declaration are presented by the first button of its page, and none of the demo's declarations has
// another step in front of the one to take next.
func TestFirstStepOfADeclaration(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, 1366, 768)
	w.signIn(p.email, p.password)
	presented := false
	for _, status := range []string{"SUBMITTED", "ACCEPTED", "REJECTED", "CANCELLED"} {
		w.visit("/declarations?status=" + status)
		records := eval[[]string](w, `[...document.querySelectorAll(".rows tbody th a")].map(a => a.pathname)`)
		for _, path := range records {
			w.visit(path)
			w.wellSet(path)
			presented = presented || slices.Contains(eval[[]string](w, `[...document.querySelectorAll(".steps-bar .button:not(.plain)")].map(b => b.textContent)`), "Present the goods")
		}
		if len(records) == 0 {
			t.Errorf("the demo has no declaration that is %s", strings.ToLower(status))
		}
	}
	if !presented {
		t.Error("the demo has no declaration whose goods can be presented")
	}
}
