package archtest_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Limits of length, in lines.
const (
	maxFileLines     = 400
	maxFunctionLines = 80
)

// chance names the packages that may use the clock or random numbers, and why. All others get a clock and a source of
// identifiers.
var chance = map[string]string{
	"internal/app":             "the wiring, which gives them to everybody else",
	"internal/store/storetest": "tests: a database of a name of its own",
	"clients/":                 "programs, and a library for other programs",
	"cmd/":                     "programs",
	"test/":                    "programs and tests",
}

// seeded packages may import math/rand for generators that they seed.
var seeded = map[string]string{
	"internal/hmrc/simulator/cdssim":  "the same seed gives the same transcript",
	"internal/hmrc/simulator/emcssim": "the same draft gets the same references",
	"internal/store/exchangetest":     "tests: the same identifiers in each run",
}

// Only the wiring provides time and random numbers, so that tests can control them.
func TestTimeAndChance(t *testing.T) {
	for _, file := range sources(t) {
		if under(file, chance) {
			continue
		}
		for _, path := range importsOf(t, file) {
			switch {
			case path == "crypto/rand", path == "github.com/google/uuid":
				t.Errorf("%s imports %s", file, path)
			case strings.HasPrefix(path, "math/rand") && !under(file, seeded):
				t.Errorf("%s imports %s", file, path)
			}
		}
		for _, called := range globalCalls(parse(t, file)) {
			t.Errorf("%s uses %s", file, called)
		}
	}
}

func under(file string, folders map[string]string) bool {
	for folder := range folders {
		if strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/") {
			return true
		}
	}
	return false
}

// globalCalls returns the uses of the clock and of unseeded generators.
func globalCalls(file *ast.File) (found []string) {
	forbidden := map[string]map[string]bool{
		"time": {"Now": true, "Since": true, "Until": true},
		"rand": {"Int": true, "IntN": true, "Intn": true, "N": true, "Float64": true, "Uint64": true, "Shuffle": true, "Perm": true},
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); ok && forbidden[of.Name][selector.Sel.Name] {
			found = append(found, of.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return found
}

// Nothing runs before main.
func TestNoInit(t *testing.T) {
	for _, file := range sources(t) {
		for _, d := range parse(t, file).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", file)
			}
		}
	}
}

// reach names the packages that may use databases, networks and files. All others get what they need from their
// callers.
var reach = map[string]map[string]string{
	"database/sql": {"internal/store": "all SQL, in one place", "test/": "the bench fills and compares databases"},
	"net/http": {
		"internal/api": "serves", "internal/console": "serves", "internal/app": "the servers", "internal/hmrc/cds": "the way to customs and back", "internal/hmrc/simulator": "servers that stand in for HMRC's",
		"internal/hmrc/client":   "requests to HMRC's APIs",
		"internal/hmrc/hmrctest": "servers for tests", "internal/store/exchangetest": "simulators for tests",
		"internal/access/oidc":   "the way to identity providers",
		"internal/platform/ssrf": "connections to addresses that a tenant names", "internal/webhook": "one attempt to deliver",
		"internal/ops/doctor":            "checks that other services answer",
		"internal/ops/health":            "asks the running service for its health",
		"internal/ops/metrics":           "a listener of its own, and the time of calls",
		"internal/hmrc/mtd":              "the way to HMRC's Making Tax Digital, and its stand-in",
		"internal/hmrc/emcs/movementapi": "the way to HMRC's excise movements",
		"internal/hmrc/ens/ensapi":       "the way to HMRC's Safety and Security GB",
		"internal/hmrc/gvms":             "the way to HMRC's Goods Vehicle Movement Service",
		"internal/platform/graceful":     "how a server stops",
		"internal/platform/clientaddr":   "the address of a request's client",
		"internal/platform/tracing":      "tells the collector of traces",
		"internal/tariff/publisher":      "fetches the tariff's live tables",
		"internal/assist/provider":       "the way to a language model",
		"clients/":                       "calls the API",
		"cmd/":                           "programs", "test/": "programs and tests",
	},
	"os": {
		"internal/assist/classify":                "the file of the index",
		"internal/tariff/publisher":               "what is fetched, until it is read",
		"internal/tariff/recording/recordingtest": "recorded answers, for tests",
		"internal/ops/doctor":                     "rights of files",
		"internal/platform/certfile":              "the TLS certificate and its key",
		"internal/platform/packed/packedtest":     "texts and their packed forms, for tests",
		"internal/ops/filemode":                   "modes of the data folder",
		"internal/ops/instance":                   "the file that names the instance",
		"internal/ops/marker":                     "the file that names the installation",
		"internal/ops/installation":               "the data folder and the time of its last backup",
		"internal/ops/masterkey":                  "the file of the master key",
		"internal/ops/recovery":                   "backups",
		"internal/ops/usertoken":                  "the file of a user's tokens",
		"internal/app":                            "files of keys and tokens", "internal/platform/config": "the settings' file and those of secrets",
		"internal/store": "the data folder", "internal/hmrc/simulator": "the journal", "clients/": "programs", "cmd/": "programs", "test/": "programs and tests",
	},
}

// Only the listed packages use SQL, HTTP and files; Hubs, rules and the engine do not.
func TestReach(t *testing.T) {
	for _, file := range sources(t) {
		for _, path := range importsOf(t, file) {
			if folders, guarded := reach[path]; guarded && !under(file, folders) {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}

// Every Go file is formatted.
func TestFormatted(t *testing.T) {
	for _, file := range goFiles(t) {
		text := read(t, file)
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !bytes.Equal(text, formatted) {
			t.Errorf("%s: run gofmt", file)
		}
	}
}

// Files and functions stay short enough to be read at once.
func TestLength(t *testing.T) {
	for _, file := range sources(t) {
		if !strings.HasPrefix(file, "internal/") {
			continue
		}
		if lines := bytes.Count(read(t, file), []byte("\n")); lines > maxFileLines {
			t.Errorf("%s has %d lines, at most %d", file, lines, maxFileLines)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, at most %d", file, f.Name.Name, lines, maxFunctionLines)
			}
		}
	}
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
