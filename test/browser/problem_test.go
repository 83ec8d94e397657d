package browser

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// technical is what a page must not show of an error: SQL, the table that is missing, or a stack.
var technical = regexp.MustCompile(`(?i)sql|select |no such|_gone|goroutine|\.go:|panic`)

// If the database fails below the running program, each page says that the service has a problem and what to do next, with the id of
// the request that is in the log, and nothing technical. So does a page whose menu cannot be read.
func TestPageOfAnInternalError(t *testing.T) {
	t.Parallel()
	p := &server{Program: program.New(t, "", "", program.RareGC)} // whose log has errors
	running := p.launch(t, "demo")
	email := running.WaitForOutput(t, `sign in as (\S+) `)
	password := running.WaitForOutput(t, `sign in as .* (\S+)\n`)
	w := openWindow(t, p, 1366, 768)
	w.signIn(email, password)
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.Join(p.Data(), "tidewaiter.db"), RawQuery: "_pragma=busy_timeout(10000)"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct{ table, path, menu string }{
		{"deadlines", "/deadlines", "Declarations"},
		{"filing_tallies", "/declarations", ""},
	} {
		if _, err := db.ExecContext(t.Context(), "ALTER TABLE "+c.table+" RENAME TO "+c.table+"_gone"); err != nil {
			t.Fatal(err)
		}
		w.visit(c.path)
		w.sees("Something went wrong", "Try again", "Go to the home page", c.menu)
		if found := technical.FindString(w.text()); found != "" {
			t.Errorf("the page shows %q:\n%s", found, w.text())
		}
		id := eval[string](w, `document.querySelector("main .code")?.textContent ?? ""`)
		if id == "" {
			t.Fatal("the page has no id")
		}
		p.Log.Await(t, `"requestId":"`+id+`"`)
		w.everyLook("internal-error-" + c.table)
		if _, err := db.ExecContext(t.Context(), "ALTER TABLE "+c.table+"_gone RENAME TO "+c.table); err != nil {
			t.Fatal(err)
		}
		w.press("Try again")
		if w.sees("Declarations"); strings.Contains(w.text(), "Something went wrong") {
			t.Errorf("%s fails again", c.path)
		}
	}
}
