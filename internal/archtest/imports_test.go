// Package archtest holds the rules of the house that the compiler does not: who
// may import whom, where time and chance come from, and how long a file may be.
package archtest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/tidewaiter/tidewaiter/"
)

// allowed says of every package which of ours it may import. A name ending in /*
// stands for all packages below it; what is not listed here may import nothing of
// ours.
var allowed = map[string][]string{
	// The words that everybody uses know nobody.
	"internal/fault":        nil,
	"internal/ident":        nil,
	"internal/quantity":     nil,
	"internal/tenant":       nil,
	"internal/lifecycle":    nil,
	"internal/config":       {"internal/calendar"}, // ages are read as people write them
	"internal/limit":        nil,
	"internal/guard":        nil,
	"internal/calendar":     nil,
	"internal/goods":        nil,
	"internal/party":        {"internal/goods"},
	"internal/sanction":     nil,
	"internal/control":      {"internal/goods", "internal/ident", "internal/review", "internal/sanction"}, // what an export falls under
	"internal/csvio":        nil,
	"internal/clock":        nil,
	"internal/doctor":       nil,
	"internal/backup":       nil,
	"internal/ops/filemode": nil,
	"internal/tracing":      nil, // what OpenTelemetry calls things, it alone knows

	// Between the network and everything else.
	"internal/platform/certfile":   nil,
	"internal/platform/clientaddr": nil,
	"internal/platform/graceful":   nil,
	"internal/platform/sdnotify":   nil,
	"internal/platform/mail":       nil,
	"internal/platform/lograte":    nil,
	"internal/platform/membudget":  nil,

	// What the store and an operator's commands measure and mark.
	"internal/ops/marker":    nil,
	"internal/platform/disk": nil,

	// Pure functions over the words.
	"internal/review":       {"internal/ident", "internal/quantity"},
	"internal/nomenclature": nil,
	"internal/tariff":       {"internal/calendar", "internal/ident", "internal/nomenclature", "internal/quantity"},

	// Which code goods may have: the engine knows words, and who gives it the tariff and the day.
	"internal/assist/classify": {"internal/goods", "internal/nomenclature"},
	// A stranger that is asked, and knows nothing of customs.
	"internal/assist/provider": {"internal/limit"},
	"internal/assist": {
		"internal/assist/classify", "internal/assist/extract", "internal/assist/provider", "internal/calendar", "internal/nomenclature", "internal/tariff", "internal/tenant",
		"internal/hub/cbam", // which goods embed what
	},

	// What reads the documents that strangers send: bytes to text, text to fields.
	"internal/assist/extract/pdf":    nil,
	"internal/assist/extract/source": {"internal/assist/extract/pdf", "internal/wco/safexml"},
	"internal/assist/extract":        {"internal/assist/extract/source", "internal/fault", "internal/ident", "internal/quantity"},

	// Tables that others publish: what an operator imports, read into memory.
	"internal/reference": {"internal/ident", "internal/quantity", "internal/review"},

	// What the authorities publish of the tariff: read, kept in versions, held in memory.
	"internal/tariff/official": {"internal/nomenclature", "internal/quantity", "internal/tariff"},

	"internal/tariff/publisher": nil,

	// The wire format of customs knows no filing.
	"internal/wco":              {"internal/ident", "internal/quantity", "internal/wco/safexml"},
	"internal/wco/cdscode":      nil,
	"internal/wco/pointer":      nil,
	"internal/wco/safexml":      nil,
	"internal/wco/notification": {"internal/ident", "internal/quantity", "internal/wco/pointer", "internal/wco/safexml"},

	// Beneath the engine, because every change writes them in its own transaction:
	// the event of the trail, the jobs, the first answer to a key.
	"internal/audit":        {"internal/audit/merkle", "internal/csvio", "internal/fault", "internal/tenant"},
	"internal/audit/merkle": nil,
	"internal/work":         {"internal/fault", "internal/tenant"},
	"internal/once":         {"internal/fault"},

	"internal/filing": {
		"internal/fault", "internal/tenant", "internal/lifecycle", "internal/review",
		"internal/audit", // a change carries its event
		"internal/work",  // a change carries its jobs
		"internal/ident", // a new record gets its id, and on submission its reference
	},

	// The way to customs and back knows bytes and keys, no filing.
	"internal/cds": {"internal/ident"},
	// The simulator stands in for customs: it meets the service only on the wire, so
	// it shares the wire's packages and the tariff that customs would assess by.
	"internal/cds/simulator": {"internal/cds", "internal/ident", "internal/quantity", "internal/tariff", "internal/wco", "internal/wco/*"},

	// The way to HMRC's Making Tax Digital knows figures and tokens, no filing; what
	// stands in for HMRC meets it only on the wire.
	"internal/mtd":         {"internal/ident", "internal/quantity"},
	"internal/mtd/standin": nil,

	"internal/access/passkey":  nil,
	"internal/access/totp":     nil,
	"internal/access/strength": nil,
	// How people come in through their organisation.
	"internal/access/erasure": {"internal/access", "internal/audit", "internal/fault", "internal/ident", "internal/tenant", "internal/work"},
	"internal/access/scim":    {"internal/access", "internal/fault", "internal/ident", "internal/tenant"},
	"internal/access/oidc":    {"internal/access", "internal/fault", "internal/guard", "internal/ident", "internal/tenant"},

	"internal/access": {"internal/access/passkey", "internal/access/strength", "internal/access/totp", "internal/audit", "internal/fault", "internal/ident", "internal/limit", "internal/platform/*", "internal/tenant"},

	// A Hub is values: no SQL, no HTTP, no other Hub.
	"internal/hub/*": {"internal/control", "internal/goods", "internal/party", "internal/sanction", "internal/calendar", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle", "internal/quantity", "internal/review", "internal/statement", "internal/access", "internal/tenant"},

	// Customs is more than a Hub: a declaration goes out and answers come back.
	"internal/customs": {
		"internal/calendar", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle", "internal/quantity", "internal/review",
		"internal/nomenclature", "internal/tariff", "internal/tenant", "internal/wco", "internal/wco/*",
		"internal/access", // the organisation's customs settings are part of a declaration
		"internal/audit",  // a timeline is the trail of one record
		"internal/cds",    // the ways in which a submission can end
		"internal/once",   // a submission answers its Idempotency-Key
		"internal/work",   // sending and applying are jobs
	},

	// The review of a declaration: rules over its papers, and what they rest on.
	"internal/customs/analysis": {
		"internal/access", "internal/control", "internal/customs", "internal/filing", "internal/goods", "internal/ident", "internal/lifecycle", "internal/nomenclature", "internal/party",
		"internal/quantity", "internal/review", "internal/sanction", "internal/tariff", "internal/tenant",
	},
	// What explains knows codes, pointers and messages, and what a trader knows of them;
	// of a stored declaration, what customs reported.
	"internal/assist/explain": {"internal/customs", "internal/wco/*"},
	// What guesses columns knows headers and the shapes of identifiers; what measures it, tables.
	"internal/assist/mapping":             {"internal/ident"},
	"internal/assist/mapping/mappingtest": {"internal/assist/mapping"},

	// Events become deliveries: what a kind's lifecycle says, sent to where the guard lets it.
	"internal/webhook": {
		"internal/audit", "internal/fault", "internal/filing", "internal/guard", "internal/ident", "internal/lifecycle",
		"internal/tenant", "internal/work",
	},

	// A declaration that is still being filled in, as it is typed and as documents say it.
	"internal/worksheet": {"internal/assist/extract", "internal/calendar", "internal/fault", "internal/ident"},

	// What is due of everything that is filed, and knows no kind of it.
	"internal/deadline": {"internal/access", "internal/audit", "internal/calendar", "internal/filing", "internal/ident"},
	// Tables of records, in and out.
	"internal/bulk": {"internal/assist/extract/source", "internal/assist/mapping", "internal/audit", "internal/csvio", "internal/fault", "internal/filing", "internal/ident", "internal/tenant", "internal/work"},

	// Records and what the trail says of them.
	"internal/records/portability": {"internal/access", "internal/audit", "internal/customs", "internal/fault", "internal/filing", "internal/tenant"},
	"internal/records/closure": {
		"internal/access", "internal/access/erasure", "internal/audit", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle", "internal/retention", "internal/tenant", "internal/vat", "internal/webhook",
	},
	"internal/records/integrity": {"internal/access", "internal/audit", "internal/filing", "internal/ident", "internal/records/closure", "internal/records/portability", "internal/retention", "internal/tenant", "internal/webhook"},

	// What time does to everything that is filed, and knows no kind of it.
	"internal/timer": {"internal/filing", "internal/tenant"},

	// What has been kept long enough, and knows no kind of it.
	"internal/retention": {"internal/audit", "internal/calendar", "internal/fault", "internal/filing", "internal/lifecycle", "internal/tenant"},

	// What is drawn up from what is recorded, and knows no kind of it.
	"internal/statement": {"internal/access", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle", "internal/tenant"},

	// Returns on their way to HMRC: more than a Hub, as customs is.
	"internal/vat": {
		"internal/access", "internal/calendar", "internal/fault", "internal/filing", "internal/hub/tax", "internal/ident", "internal/lifecycle", "internal/tenant",
		"internal/audit", // a connection that begins or ends has its event
		"internal/mtd",   // the ways in which a submission can end
		"internal/once",  // a submission answers its Idempotency-Key
		"internal/work",  // sending, and asking for periods, are jobs
	},

	// What declarations are found by, and made of.
	"internal/search": {"internal/audit", "internal/customs", "internal/fault", "internal/filing", "internal/retention", "internal/tenant"},

	// All that is known of one record, for somebody without the service; who checks it
	// shares nothing with who makes it but the tree.
	"internal/evidence":                 {"internal/audit", "internal/customs", "internal/fault", "internal/filing", "internal/review", "internal/tenant"},
	"internal/evidence/check":           {"internal/audit/merkle"},
	"internal/evidence/check/checktest": {"internal/audit/merkle", "internal/evidence/check"},

	// Open pages hear of changes, of any kind.
	"internal/live": {"internal/audit", "internal/fault", "internal/tenant"},

	// The store implements the interfaces that the others declare.
	"internal/store": {
		"internal/access/oidc", "internal/access/scim", "internal/platform/disk",
		"internal/records/integrity", "internal/records/portability", "internal/evidence", "internal/access", "internal/audit", "internal/audit/merkle", "internal/bulk", "internal/calendar", "internal/clock", "internal/customs", "internal/deadline", "internal/fault", "internal/filing",
		"internal/live", "internal/once", "internal/reference", "internal/retention", "internal/search", "internal/tariff/official", "internal/tenant", "internal/timer", "internal/vat", "internal/webhook", "internal/work", "internal/worksheet",
	},
	"internal/store/storetest": {"internal/ident", "internal/store", "internal/tenant"},

	// What a body may be, for all who take one.
	"internal/strict": {"internal/fault", "internal/filing", "internal/ident", "internal/quantity"},

	// The API calls services; it knows no kind of Hub, and no SQL.
	"internal/api/scim": {
		"internal/access/scim", "internal/audit", "internal/fault", "internal/ident", "internal/limit", "internal/platform/clientaddr", "internal/platform/membudget", "internal/tenant",
	},
	"internal/api": {
		"internal/access/scim",
		"internal/evidence", "internal/access", "internal/strict", "internal/assist/explain", "internal/assist/extract", "internal/assist/mapping", "internal/audit", "internal/bulk", "internal/csvio", "internal/customs", "internal/deadline", "internal/fault", "internal/filing",
		"internal/ident", "internal/lifecycle", "internal/limit", "internal/once", "internal/platform/clientaddr", "internal/platform/lograte", "internal/platform/membudget", "internal/quantity", "internal/retention", "internal/review", "internal/statement", "internal/tenant",
		"internal/vat", "internal/webhook",
		"internal/mtd",                             // reads what a request tells of the caller's device
		"internal/assist",                          // which codes goods may have
		"internal/nomenclature", "internal/tariff", // what a code is in the tariff in force
		"internal/calendar", // reads the quarters that lists are asked for
		"internal/live",     // wakes those who follow the trail
		"internal/records/closure", "internal/records/portability",
		"internal/cds", // tells what is wrong with an inbound call that is refused
	},

	// A body as a form: no HTTP, no store, no kind of filing.
	"internal/console/form": {"internal/calendar", "internal/fault", "internal/filing", "internal/ident", "internal/review", "internal/strict"},

	// The console calls the services that the API calls, and neither sees the other.
	"internal/console": {"internal/access/erasure", "internal/access/oidc", "internal/access/scim", "internal/console/*"},
	"internal/console/page": {
		"internal/evidence", "internal/access", "internal/audit", "internal/audit/merkle", "internal/bulk", "internal/calendar", "internal/customs", "internal/deadline", "internal/fault", "internal/filing",
		"internal/ident", "internal/limit", "internal/live", "internal/platform/clientaddr", "internal/platform/lograte", "internal/platform/membudget", "internal/retention", "internal/review", "internal/search", "internal/tenant", "internal/vat", "internal/webhook", "internal/worksheet",
	},
	"internal/console/declare": {
		"internal/access", "internal/assist", "internal/assist/explain", "internal/assist/extract", "internal/console/page", "internal/customs", "internal/fault",
		"internal/filing", "internal/lifecycle", "internal/limit", "internal/quantity", "internal/review", "internal/strict", "internal/tariff", "internal/tenant", "internal/worksheet",
	},
	"internal/console/declarations": {
		"internal/assist/explain", "internal/audit", "internal/calendar", "internal/console/page", "internal/console/wording", "internal/customs", "internal/customs/analysis", "internal/fault",
		"internal/filing", "internal/ident", "internal/lifecycle", "internal/live", "internal/quantity", "internal/review", "internal/search", "internal/tariff", "internal/tenant", "internal/worksheet",
	},
	"internal/console/wording":   {"internal/evidence", "internal/access", "internal/audit", "internal/console/form", "internal/filing", "internal/records/closure", "internal/records/portability", "internal/retention", "internal/tenant", "internal/webhook"}, // what the trail tells, in words
	"internal/console/deadlines": {"internal/access", "internal/calendar", "internal/console/page", "internal/deadline", "internal/fault"},
	"internal/console/trail": {
		"internal/access", "internal/audit", "internal/calendar", "internal/console/page", "internal/console/wording", "internal/csvio", "internal/evidence", "internal/fault",
		"internal/filing", "internal/ident", "internal/retention", "internal/tenant",
	},
	"internal/console/account": {"internal/access", "internal/access/erasure", "internal/access/totp", "internal/console/page", "internal/fault"},
	"internal/console/door":    {"internal/access", "internal/access/oidc", "internal/console/page", "internal/fault", "internal/ident", "internal/tenant"},
	"internal/console/chart":   nil,
	"internal/console/home": {
		"internal/access", "internal/audit", "internal/calendar", "internal/console/chart", "internal/console/page", "internal/console/wording", "internal/deadline",
		"internal/filing", "internal/lifecycle", "internal/tenant", "internal/webhook",
	},
	"internal/console/filings": {
		"internal/access", "internal/audit", "internal/calendar", "internal/console/form", "internal/console/page", "internal/console/wording", "internal/fault", "internal/filing",
		"internal/ident", "internal/lifecycle", "internal/limit", "internal/review", "internal/strict", "internal/tenant",
	},
	"internal/console/webhooks": {"internal/calendar", "internal/console/page", "internal/fault", "internal/ident", "internal/strict", "internal/tenant", "internal/webhook"},
	"internal/console/tables": {
		"internal/bulk", "internal/calendar", "internal/console/page", "internal/csvio", "internal/customs", "internal/fault", "internal/filing", "internal/lifecycle",
	},
	"internal/console/statements": {
		"internal/access", "internal/audit", "internal/calendar", "internal/console/page", "internal/console/wording", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle", "internal/quantity", "internal/review", "internal/statement",
		"internal/customs", "internal/hub/cbam", "internal/hub/tax", "internal/mtd", "internal/platform/clientaddr", "internal/vat", // what its pages are made for by hand
	},
	"internal/console/settings": {
		"internal/access", "internal/access/erasure", "internal/access/oidc", "internal/access/scim", "internal/console/page", "internal/fault", "internal/ident", "internal/limit",
		"internal/records/closure", "internal/records/portability", "internal/strict", "internal/tenant",
	},

	// A story that is played with the services.
	"internal/demo": {
		"internal/access", "internal/calendar", "internal/customs", "internal/fault", "internal/filing", "internal/ident", "internal/lifecycle",
		"internal/statement", "internal/tenant", "internal/webhook",
	},

	// The wiring sees everything.
	"internal/app": {"internal/*"},
	"cmd/release":  nil, // it knows the program from the outside
	"cmd/tidewaiter": {
		"internal/access", "internal/app", "internal/backup", "internal/config", "internal/demo", "internal/records/integrity",
		"internal/evidence/check", "internal/fault", "internal/tenant", "internal/audit", "internal/reference", "internal/retention", "internal/tariff/official", // what an operator's command reads and prints
		"internal/wco/notification", // customs decode
	},
}

// The servers of the tests and the bench are programs of their own.
const outside = "test/"

// Nobody imports what the table does not let him.
func TestImports(t *testing.T) {
	for folder, imports := range ours(t) {
		if strings.HasPrefix(folder, outside) {
			continue
		}
		may, listed := entry(folder)
		if !listed {
			t.Errorf("%s is not in the table: say what it may import", folder)
		}
		for _, path := range imports {
			if !slices.ContainsFunc(may, func(pattern string) bool { return covers(pattern, path) }) {
				t.Errorf("%s may not import %s", folder, path)
			}
		}
	}
}

// instruments are libraries that few know: everybody else declares what wants to hear of him.
var instruments = map[string][]string{
	"go.opentelemetry.io/":                 {"internal/tracing"},
	"github.com/prometheus/client_golang/": {"internal/app"},
}

// What watches the service stays outside of what it watches.
func TestInstruments(t *testing.T) {
	for _, file := range sources(t) {
		if strings.HasPrefix(file, outside) {
			continue
		}
		for _, path := range importsOf(t, file) {
			for library, may := range instruments {
				if strings.HasPrefix(path, library) && !slices.Contains(may, filepath.Dir(file)) {
					t.Errorf("%s may not import %s", file, path)
				}
			}
		}
	}
}

// handmade has pages that are made by hand for two kinds, and for no other.
const handmade = "internal/console/statements"

// The table itself keeps the walls of the house, whoever edits it.
func TestWalls(t *testing.T) {
	for folder, may := range allowed {
		for _, wall := range []struct{ who, never string }{
			{"internal/hub/*", "internal/hub/*"},
			{"internal/hub/*", "internal/store"},
			{"internal/hub/*", "internal/api"},
			{"internal/customs", "internal/store"},
			{"internal/customs", "internal/api"},
			{"internal/deadline", "internal/hub/*"},
			{"internal/deadline", "internal/customs"},
			{"internal/timer", "internal/hub/*"},
			{"internal/timer", "internal/customs"},
			{"internal/filing", "internal/customs"},
			{"internal/filing", "internal/store"},
			{"internal/api", "internal/store"},
			{"internal/api", "internal/hub/*"},
			{"internal/api", "internal/console"},
			{"internal/console", "internal/store"},
			{"internal/console", "internal/api"},
			{"internal/console/*", "internal/store"},
			{"internal/console/*", "internal/api"},
			{"internal/console/*", "internal/hub/*"},
			{"internal/store", "internal/api"},
			{"internal/store", "internal/hub/*"},
		} {
			if wall.never == "internal/hub/*" && folder == handmade {
				continue
			}
			if covers(wall.who, folder) && slices.ContainsFunc(may, func(path string) bool { return covers(wall.never, path) || covers(path, wall.never) }) {
				t.Errorf("%s must never import %s", folder, wall.never)
			}
		}
		if strings.HasPrefix(folder, "internal/console/") && slices.ContainsFunc(may, isArea) {
			t.Errorf("%s: an area of the console never imports another", folder)
		}
		if folder != "internal/app" && folder != "internal/store/storetest" && slices.Contains(may, "internal/store") {
			t.Errorf("%s: only the wiring and the tests import the store", folder)
		}
	}
}

// A rule for a package that is gone is taken out.
func TestTableIsInUse(t *testing.T) {
	there := ours(t)
	for folder := range allowed {
		found := false
		for path := range there {
			found = found || covers(folder, path)
		}
		if !found {
			t.Errorf("%s is in the table but not in the house", folder)
		}
	}
}

func entry(folder string) ([]string, bool) {
	if may, ok := allowed[folder]; ok {
		return may, true
	}
	may, ok := allowed[filepath.Dir(folder)+"/*"]
	return may, ok
}

// isArea tells whether a package is an area of the console, and not what areas share.
func isArea(path string) bool {
	name, within := strings.CutPrefix(path, "internal/console/")
	return within && !slices.Contains([]string{"page", "form", "chart", "wording"}, name)
}

// covers tells whether a pattern of the table stands for a path.
func covers(pattern, path string) bool {
	if below, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(path, below)
	}
	return path == pattern
}

// ours gives every folder of the program and what it imports of the program.
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

// sources lists the Go files of the program, tests aside, from its root.
func sources(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(goFiles(t), func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

// goFiles lists every Go file, from the root of the program.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "data") {
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
