package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each role sees what it may do and no more, on every page that the others work with,
// and what it may not do is refused in words where somebody has the address.
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
			w := look(t, p, desk, 900)
			w.signIn(who.email, p.password)
			var all strings.Builder
			for _, path := range w.worked() {
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
				w.sees("You may not do this")
			}
		})
	}
}

// worked are pages that people work with, each with a record of some state. The demo's
// story goes on for a while after its greeting.
func (w *window) worked() []string {
	w.Helper()
	paths := []string{"/", "/settings", "/hubs/emcs/movements", "/webhooks", "/declarations"}
	for list, record := range map[string]string{"/hubs/emcs/movements?status=SUBMITTED": "/hubs/emcs/movements/", "/vat": "/vat/returns/"} {
		paths = append(paths, w.firstOf(list, record))
	}
	return paths
}

// firstOf is the path of the first record in a list, as soon as there is one.
func (w *window) firstOf(list, record string) (path string) {
	w.Helper()
	for until := time.Now().Add(time.Minute); path == ""; time.Sleep(500 * time.Millisecond) {
		if time.Now().After(until) {
			w.Fatalf("%s never leads to %s", list, record)
		}
		w.visit(list)
		path = eval[string](w, fmt.Sprintf(`document.querySelector('main table a[href^="%s"]')?.pathname ?? ""`, record))
	}
	return path
}
