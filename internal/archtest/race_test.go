package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// setting returns a variable of the Makefile as one line.
func setting(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + ` := ((?:.*\\\n)*.*)$`).FindSubmatch(read(t, "Makefile"))
	if found == nil {
		t.Fatalf("the Makefile does not say what %s is", name)
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(found[1]), "\\\n", " "), "$$", "$")
}

// folders returns the packages that a variable of the Makefile lists.
func folders(t *testing.T, name string) []string {
	t.Helper()
	return strings.Fields(strings.ReplaceAll(setting(t, name), "./", ""))
}

// Packages that are tested without the race detector start no goroutines, and neither do their tests: the detector
// would find nothing and take ten times as long.
func TestUnraced(t *testing.T) {
	folders := folders(t, "UNRACED")
	tested := map[string]bool{}
	for _, file := range goFiles(t) {
		folder := filepath.Dir(file)
		if !slices.Contains(folders, folder) {
			continue
		}
		tested[folder] = true
		for _, sign := range concurrency(parse(t, file)) {
			t.Errorf("%s has %s: take %s off the list UNRACED in the Makefile", file, sign, folder)
		}
	}
	for _, folder := range folders {
		if !tested[folder] {
			t.Errorf("%s is in the list UNRACED and not in the house", folder)
		}
	}
}

// A test that the race detector's run skips runs without it.
func TestUnracedTestsAreRun(t *testing.T) {
	passed, where := regexp.MustCompile(setting(t, "UNRACED_TESTS")), folders(t, "UNRACED_OF")
	elsewhere := slices.Concat(folders(t, "UNRACED"), folders(t, "BLACK_BOX"), folders(t, "CONSOLE"))
	run := map[string]bool{}
	for _, file := range goFiles(t) {
		folder := filepath.Dir(file)
		if !strings.HasSuffix(file, "_test.go") || slices.Contains(elsewhere, folder) {
			continue
		}
		for _, d := range parse(t, file).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !passed.MatchString(f.Name.Name) {
				continue
			}
			if run[folder] = true; !slices.Contains(where, folder) {
				t.Errorf("%s: %s is run nowhere: put %s into UNRACED_OF in the Makefile, or name the test otherwise", file, f.Name.Name, folder)
			}
		}
	}
	for _, folder := range where {
		if !run[folder] {
			t.Errorf("%s has none of UNRACED_TESTS", folder)
		}
	}
}

// The race detector's run includes all concurrent tests of the console.
func TestConsoleAtOnceIsRaced(t *testing.T) {
	raced, of, found := regexp.MustCompile(setting(t, "CONSOLE_AT_ONCE")), folders(t, "CONSOLE"), 0
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") || !slices.Contains(of, filepath.Dir(file)) {
			continue
		}
		for _, d := range parse(t, file).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			matched := raced.MatchString(f.Name.Name)
			if matched {
				found++
			}
			signs := slices.DeleteFunc(concurrency(f), func(sign string) bool { return sign == parallel }) // each test has its own service
			if len(signs) > 0 && !matched {
				t.Errorf("%s: %s has %s: add it to CONSOLE_AT_ONCE in the Makefile", file, f.Name.Name, signs[0])
			}
		}
	}
	if named := strings.Count(setting(t, "CONSOLE_AT_ONCE"), "|") + 1; found != named {
		t.Errorf("CONSOLE_AT_ONCE names %d tests, and %d of them exist", named, found)
	}
}

// busy are packages that start goroutines, or exist for concurrent code.
var busy = []string{
	"sync/atomic", "net/http", "net/http/httptest", "golang.org/x/sync/errgroup",
	module + "internal/app", module + "internal/platform/jobs", module + "internal/filing/timer",
}

// concurrency returns the signs of concurrent code in a file or function.
func concurrency(code ast.Node) (signs []string) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if path := strings.Trim(n.Path.Value, `"`); slices.Contains(busy, path) {
				signs = append(signs, path)
			}
		case *ast.GoStmt:
			signs = append(signs, "a go statement")
		case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
			signs = append(signs, "a channel")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				signs = append(signs, "a channel")
			}
		case *ast.SelectorExpr:
			if sign, busy := shared(n); busy {
				signs = append(signs, sign)
			}
		}
		return true
	})
	return signs
}

const parallel = "a parallel test"

// shared reports uses of sync except sync.Once and its functions, and of parallel tests.
func shared(s *ast.SelectorExpr) (sign string, is bool) {
	of, _ := s.X.(*ast.Ident)
	switch {
	case of != nil && of.Name == "sync":
		return "sync." + s.Sel.Name, !strings.HasPrefix(s.Sel.Name, "Once")
	case of != nil && of.Name == "t" && s.Sel.Name == "Parallel":
		return parallel, true
	}
	return "", false
}

// Every sign of concurrency is detected.
func TestConcurrencyIsSeen(t *testing.T) {
	for source, signs := range map[string]int{
		"func f() { go f() }":                             1,
		"func f(c chan int) {}":                           1,
		"func f() { <-c }":                                1,
		"func f() { c <- 1 }":                             1,
		"func f() { select {} }":                          1,
		"var mu sync.Mutex":                               1,
		"var all sync.WaitGroup":                          1,
		"var once = sync.OnceValue(f)":                    0,
		"func TestF(t *testing.T) { t.Parallel() }":       1,
		`import _ "net/http"`:                             1,
		`import _ "` + module + `internal/app"`:           1,
		`import _ "` + module + `internal/store"`:         0,
		"func f(t *testing.T) { t.Run(``, f); x := <-c }": 1,
		"func f() { wait(); use(-c) }":                    0,
	} {
		if got := concurrency(parsed(t, "package p\n"+source)); len(got) != signs {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func parsed(t *testing.T, source string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
