package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each role sees only what it may do, on every page that the others work with, and is refused with an explanation
// if it opens the address of something else.
func TestRoles(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	for _, who := range []struct {
		role, email   string
		sees, forgoes []string // on the pages below, by their texts
		refused       []string // addresses
	}{
		{"OWNER", p.email, []string{"API keys", "New movement", "Mark accepted", "New endpoint", "Submit return"}, nil, nil},
		{"MEMBER", "max@example.com", []string{"New movement", "Submit return"}, []string{"API keys", "Mark accepted"},
			[]string{"/settings/keys"}},
		{"VIEWER", "vera@example.com", nil, []string{"API keys", "New movement", "Mark accepted", "New endpoint", "Submit return"},
			[]string{"/settings/keys", "/hubs/emcs/movements/new", "/webhooks/new", "/declarations/new"}},
	} {
		t.Run(who.role, func(t *testing.T) {
			w := openWindow(t, p, desktop, 900)
			w.signIn(who.email, p.password)
			var all strings.Builder
			for _, path := range w.pagesOfWork() {
				w.visit(path)
				all.WriteString(w.text())
			}
			for _, text := range who.sees {
				if !strings.Contains(all.String(), text) {
					t.Errorf("does not see %q", text)
				}
			}
			for _, text := range who.forgoes {
				if strings.Contains(all.String(), text) {
					t.Errorf("sees %q", text)
				}
			}
			for _, path := range who.refused {
				w.visit(path)
				w.sees("You do not have permission")
			}
		})
	}
}

// pagesOfWork are pages that users work with, each with a record in some state. The demo continues for a while after it
// is announced.
func (w *window) pagesOfWork() []string {
	w.Helper()
	paths := []string{"/", "/settings", "/hubs/emcs/movements", "/webhooks", "/declarations"}
	for list, record := range map[string]string{"/hubs/emcs/movements?status=SUBMITTED": "/hubs/emcs/movements/", "/vat": "/vat/returns/"} {
		paths = append(paths, w.firstOf(list, record))
	}
	return paths
}

// firstOf waits for the first record of a list, and returns its path.
func (w *window) firstOf(list, record string) (path string) {
	w.Helper()
	for until := time.Now().Add(stepLimit); path == ""; time.Sleep(500 * time.Millisecond) {
		if time.Now().After(until) {
			w.Fatalf("%s has no link to %s", list, record)
		}
		w.visit(list)
		path = eval[string](w, fmt.Sprintf(`document.querySelector('main table a[href^="%s"]')?.pathname ?? ""`, record))
	}
	return path
}
