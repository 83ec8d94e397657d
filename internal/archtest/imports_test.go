// Package archtest checks rules that the compiler does not check: which package may import which, where times and
// random numbers come from, and how long a file may be.
package archtest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root     = "../.."
	module   = "github.com/tidewaiter/tidewaiter/"
	internal = "internal/"
)

// layers are the folders of internal/, from the top. A package imports packages of its own folder and of folders below
// its layer. Folders of one layer do not import each other, except that ops works on the store itself.
var layers = [][]string{
	{"app"},
	{"ops", "api", "console", "store", "demo"},
	{"records"},
	{"assist"},
	{"hub"},
	{"hmrc"},
	{"webhook", "schema", "tariff"},
	{"filing"},
	{"access"},
	{"audit"},
	{"document", "platform"},
}

// hubImports are the packages above the Hubs that may import one, and which. All others work with the values that a Hub
// gives to the engine, so that a new Hub does not change them. internal/app wires everything.
var hubImports = map[string][]string{
	"api":                  {"hub/customs", "hub/customs/importer", "hub/customs/template", "hub/tax/submission"}, // declarations and VAT have their own operations
	"assist":               {"hub/cbam"},                                                                          // embedded emissions
	"assist/classify":      {"hub/shared/goods"},
	"assist/explain":       {"hub/customs"},
	"console/connected":    {"hub/customs"}, // pages of clients and shipments
	"console/declarations": {"hub/customs", "hub/customs/analysis", "hub/customs/fields", "hub/customs/template"},
	"console/declare":      {"hub/customs", "hub/customs/fields", "hub/customs/importer", "hub/customs/template"},
	"console/repeat":       {"hub/customs", "hub/customs/template"}, // the page of a template that repeats
	"console/sheets":       {"hub/customs"},                         // timelines of shipments
	"console/settings":     {"hub/customs/fields"},                  // what an organisation agrees on with customs
	"console/fieldset":     {"hub/customs/fields"},
	"console/page":         {"hub/customs", "hub/tax/submission"},
	"console/statements":   {"hub/cbam", "hub/customs", "hub/tax", "hub/tax/submission"}, // pages for CBAM and VAT
	"console/tables":       {"hub/customs"},
	"demo":                 {"hub/customs"},
	"ops/operator":         {"hub/customs/importer"}, // declarations from files
	"records/closure":      {"hub/tax/submission"},
	"records/evidence":     {"hub/customs"},
	"records/portability":  {"hub/customs"},
	"records/print":        {"hub/cbam", "hub/customs", "hub/customs/fields", "hub/tax"}, // documents of declarations, CBAM and VAT
	"records/search":       {"hub/customs"},
	"records/timeline":     {"hub/customs"},                       // of shipments
	"store":                {"hub/customs", "hub/tax/submission"}, // their own tables
	"store/adapter":        {"hub/customs", "hub/tax/submission"}, // their own services
}

// hubCommon are the folders of hub/ that several Hubs use.
var hubCommon = []string{"shared", "exportcontrol"}

// independent packages must not share code with what they check or simulate. The values are all that they may import.
var independent = map[string][]string{
	"cmd/release":                     nil, // it examines the program as a user gets it
	"internal/records/evidence/check": {"internal/audit/merkle"},
	"internal/hmrc/simulator/cdssim": {
		"internal/hmrc/simulator", "internal/hmrc/cds", "internal/hmrc/wco", "internal/hmrc/wco/notification", "internal/hmrc/wco/pointer",
		"internal/hmrc/inventory",                              // the messages alone; what they mean for a declaration is decided elsewhere
		"internal/hmrc/wco/amended",                            // what a request makes of a declaration; requests are made elsewhere
		"internal/hmrc/wco/check", "internal/hmrc/wco/dataset", // HMRC's rules by the XML alone, the same for the simulator and the review
		"internal/hmrc/wco/charge", // what is owed by the XML alone, the same for the simulator and the estimate
		"internal/platform/calendar", "internal/platform/ident", "internal/platform/quantity", "internal/tariff", "internal/tariff/duty",
		"internal/tariff/measure",
	},
	"internal/hmrc/simulator":         nil,
	"internal/hmrc/simulator/gvmssim": {"internal/hmrc/simulator", "internal/hmrc/gvms", "internal/hmrc/pushpull"}, // the names of the wire, and the schema
	"internal/hmrc/mtd/mtdtest":       nil,
}

// engines are the database engines below the queries of internal/store. They may import each other and engineImports, so
// that queries can change without a change of an engine, and an engine without one of a domain package.
var (
	engines       = []string{"store/engine", "store/sqlite", "store/postgres"}
	engineImports = []string{"store/migrations", "platform/apierr", "platform/disk", "platform/tenant"}
)

// libraries may be imported only by the packages named here.
var libraries = map[string][]string{
	"go.opentelemetry.io/":                 {"platform/tracing"},
	"github.com/prometheus/client_golang/": {"ops/metrics"},
}

// Imports go down the layers, Hubs do not import each other, only app and ops import the store, and the database engines
// know neither the queries nor domain packages.
func TestImports(t *testing.T) {
	for folder, imports := range ours(t) {
		importer, within := strings.CutPrefix(folder, internal)
		if !within || importer == "archtest" {
			continue
		}
		if depth(importer) < 0 {
			t.Errorf("%s is in no layer", folder)
		}
		for _, path := range imports {
			if why := refused(importer, strings.TrimPrefix(path, internal)); why != "" {
				t.Errorf("%s imports %s: %s", folder, path, why)
			}
		}
	}
}

// guide is the package with the documents that the program shows. It imports nothing.
const guide = "docs"

// refused returns why a package may not import another; empty if it may.
func refused(importer, path string) string {
	from, to := first(importer), first(path)
	switch {
	case path == guide:
		if importer == "console/help" {
			return ""
		}
		return "only the help of the console shows the guide"
	case depth(path) < 0:
		return "that folder is in no layer"
	case slices.Contains(engines, importer) && !slices.Contains(engines, path) && !slices.Contains(engineImports, path):
		return "engines know neither the queries nor domain packages"
	case from == "ops" && to == "store":
		return ""
	case from != to && depth(path) <= depth(importer):
		return "imports go down the layers only"
	case from == "hub" && to == "hub" && second(importer) != second(path) && !slices.Contains(hubCommon, second(path)):
		return "Hubs do not import each other"
	case from != "hub" && to == "hub" && from != "app" && !slices.Contains(hubImports[importer], path):
		return "it must not know that Hub by name"
	case to == "store" && from != "store" && from != "app":
		return "only the wiring and the operator's tools know the store"
	case isArea(importer) && isArea(path):
		return "areas of the console do not import each other"
	}
	return ""
}

// A checker that shares code with what it checks would have the same errors.
func TestIndependence(t *testing.T) {
	there := ours(t)
	for folder, may := range independent {
		imports, found := there[folder]
		if !found {
			t.Errorf("%s does not exist", folder)
		}
		for _, path := range imports {
			if !slices.Contains(may, path) {
				t.Errorf("%s imports %s", folder, path)
			}
		}
	}
}

// Forbidden imports are detected.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		importer, path string
		refused        bool
	}{
		{"filing", "platform/ident", false},
		{"filing", "store", true},
		{"console/help", "docs", false},
		{"api", "docs", true},
		{"platform/jobs", "audit", true},
		{"api", "console/page", true},
		{"api", "store", true},
		{"hub/emcs", "hub/gvms", true},
		{"hub/emcs", "hub/shared/goods", false},
		{"hub/tax/submission", "hub/tax", false},
		{"records/bulk", "hub/emcs", true},
		{"console/home", "hub/customs", true},
		{"console/home", "console/auditlog", true},
		{"console/home", "console/page", false},
		{"app", "store", false},
		{"ops/metrics", "store", false},
		{"ops/metrics", "api", true},
		{"filing", "unknown", true},
		{"store/sqlite", "store", true},
		{"store/postgres", "filing", true},
		{"store/engine", "audit", true},
		{"store/sqlite", "store/engine", false},
		{"store/postgres", "platform/tenant", false},
	} {
		if why := refused(c.importer, c.path); (why != "") != c.refused {
			t.Errorf("%s imports %s: %q", c.importer, c.path, why)
		}
	}
}

// Entries for packages and imports that no longer exist are removed.
func TestHubImportsAreInUse(t *testing.T) {
	there := ours(t)
	for importer, hubs := range hubImports {
		for _, hub := range hubs {
			if !slices.Contains(there[internal+importer], internal+hub) {
				t.Errorf("%s does not import %s", importer, hub)
			}
		}
	}
	rooms := map[string]bool{}
	for folder := range there {
		if path, within := strings.CutPrefix(folder, internal); within {
			rooms[first(path)] = true
		}
	}
	for _, layer := range layers {
		for _, room := range layer {
			if !rooms[room] {
				t.Errorf("internal/%s is in a layer and does not exist", room)
			}
		}
	}
	if len(rooms)-1 > 18 { // archtest stands beside them
		t.Errorf("internal/ has %d folders: %v", len(rooms), slices.Sorted(maps.Keys(rooms)))
	}
}

func TestLibraries(t *testing.T) {
	for _, file := range sources(t) {
		importer, within := strings.CutPrefix(filepath.Dir(file), internal)
		if !within {
			continue
		}
		for _, path := range importsOf(t, file) {
			for library, may := range libraries {
				if strings.HasPrefix(path, library) && !slices.Contains(may, importer) {
					t.Errorf("%s imports %s: that is for %v", file, path, may)
				}
			}
		}
	}
}

// depth returns the number of a folder's layer from the top; -1 if it is in none.
func depth(path string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, first(path)) })
}

func first(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

func second(path string) string {
	_, below, _ := strings.Cut(path, "/")
	return first(below)
}

// isArea reports whether a package is an area of the console, and not shared by areas.
func isArea(path string) bool {
	name, within := strings.CutPrefix(path, "console/")
	return within && !slices.Contains([]string{"page", "form", "chart", "wording", "fieldset", "connected", "decided"}, name)
}

// ours returns the program's folders with the program's packages that each imports.
func ours(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, file := range sources(t) {
		folder := filepath.Dir(file)
		imports[folder] = append(imports[folder], nil...)
		for _, path := range importsOf(t, file) {
			if path, ok := strings.CutPrefix(path, module); ok && !slices.Contains(imports[folder], path) {
				imports[folder] = append(imports[folder], path)
			}
		}
	}
	return imports
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// sources lists the program's Go files except tests, relative to its root.
func sources(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(goFiles(t), func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

// goFiles lists all Go files, relative to the root of the program.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "data" || name == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files: the root of the program is elsewhere")
	}
	return files
}
