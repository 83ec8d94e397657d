// Package tables is the area for importing clients and products from spreadsheets and exporting all kinds
// of records.
package tables

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

//go:embed pages parts.html
var pages embed.FS

//go:embed assets
var assets embed.FS

// Tables is the area, with the services that it uses.
type Tables struct {
	Uploads     *bulk.Uploads
	Products    *bulk.Importer
	Exporter    *bulk.Exporter
	Exports     *bulk.Semaphore
	Types       []*filing.Type   // all types of filing
	SystemClock func() time.Time // for write deadlines
}

// Area returns the area's routes, pages and texts.
func (t *Tables) Area() page.Area {
	return page.Area{
		Name: "tables", Pages: pages, Partials: []fs.FS{pages}, Assets: assets,
		Navigation: []page.NavigationEntry{{Path: "/import", Name: "Import", Group: "Organisation"}, {Path: "/exports", Name: "Export", Group: "Organisation"}},
		Routes:     slices.Concat(t.importRoutes(), t.stepRoutes(), t.exportRoutes(), t.productRoutes()),
		Functions:  map[string]any{"called": called, "kind": page.KindName},
		Notices:    map[string]string{"import-discarded": "The import is discarded, and its file with it. Nothing was stored."},
	}
}

// called is what a field is called: addressLine1 is Address line 1.
func called(field string) string {
	switch field {
	case "eori":
		return "EORI number"
	case "vatNumber":
		return "VAT number"
	case "email":
		return "Email"
	}
	var out strings.Builder
	for i, c := range field {
		switch {
		case i == 0:
			out.WriteRune(unicode.ToUpper(c))
		case unicode.IsUpper(c):
			out.WriteString(" " + string(unicode.ToLower(c)))
		case unicode.IsDigit(c):
			out.WriteString(" " + string(c))
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}
