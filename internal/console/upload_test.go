package console_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Uploads are never written to the disk. If one arrives after the session has ended, its fields are
// kept and the file is not.
func TestUploadsLeaveNothing(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	table := "Company,Memo\nA Ltd," + strings.Repeat("x", 5<<20) + "\n"
	o := h.owner("Quay Ltd", "olive@example.com")
	vera := h.member(o.org, tenant.Viewer, "vera@example.com")
	astray := h.owner("Alpha Ltd", "alpha@example.com")
	astray.org = o.org
	o.sendFile("clients.csv", "Company\n"+strings.Repeat(strings.Repeat("A", 99)+"\n", 50<<10)).expect(h, http.StatusSeeOther)
	o.sendFile("clients.csv", table).expect(h, http.StatusBadRequest, "The file")
	o.sendFile("clients.csv", strings.Repeat("x", 11<<20)).expect(h, http.StatusRequestEntityTooLarge)
	vera.sendFile("clients.csv", table).expect(h, http.StatusForbidden, "You can view this organisation but not change")
	astray.sendFile("clients.csv", table).expect(h, http.StatusBadRequest, "another organisation than the one")
	h.visitor().sendFile("clients.csv", table).expect(h, http.StatusUnauthorized)
	o.sendDocument("/declarations/new/document", "invoice.bin", strings.Repeat("\x00", 5<<20), "documentType", "invoice").expect(h, http.StatusBadRequest, "The document ")
	h.advance(access.SessionIdle)
	o.sendDocument("/declarations/new/document", "invoice.txt", table, "documentType", "invoice").
		expect(h, http.StatusUnauthorized, "Your session has ended", `name="kept.documentType" value="invoice"`)
	left, err := os.ReadDir(folder)
	h.must(err)
	if len(left) > 0 {
		h.Errorf("%d files are left, such as %s", len(left), left[0].Name())
	}
}

// The fields beside a file have the same limits on number and size as in a form without a file.
func TestUploadFields(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o := h.owner("Quay Ltd", "olive@example.com")
	o.sendDocument("/declarations/new/document", "x.txt", "text", "documentType", strings.Repeat("x", 1<<20)).expect(h, http.StatusRequestEntityTooLarge, "larger than 1024 kB")
	many := make([]string, 0, 202)
	for range 101 {
		many = append(many, "x", "y")
	}
	o.sendDocument("/declarations/new/document", "x.txt", "text", many...).expect(h, http.StatusBadRequest, "The form cannot be read")
}
