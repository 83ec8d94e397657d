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

// unracedList is where the Makefile says which packages are tested without the race detector.
var unracedList = regexp.MustCompile(`(?m)^UNRACED := ((?:.*\\\n)*.*)$`)

// unraced are the packages of that list.
func unraced(t *testing.T) (folders []string) {
	t.Helper()
	list := unracedList.FindSubmatch(read(t, "Makefile"))
	if list == nil {
		t.Fatal("the Makefile has no list UNRACED")
	}
	for _, word := range strings.Fields(strings.ReplaceAll(string(list[1]), "\\\n", " ")) {
		folders = append(folders, strings.TrimPrefix(word, "./"))
	}
	return folders
}

// Whoever is tested without the race detector does one thing at a time, and so do his
// tests: the detector would find nothing, and take ten times as long to do so.
func TestUnraced(t *testing.T) {
	folders := unraced(t)
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

// busy are packages that start goroutines of their own, or are there for those who do.
var busy = []string{
	"sync/atomic", "net/http", "net/http/httptest", "golang.org/x/sync/errgroup",
	module + "internal/app", module + "internal/store", module + "internal/store/storetest", module + "internal/work", module + "internal/timer",
}

// concurrency are the signs of a file that more than one thing happens at a time.
func concurrency(file *ast.File) (signs []string) {
	for _, spec := range file.Imports {
		if path := strings.Trim(spec.Path.Value, `"`); slices.Contains(busy, path) {
			signs = append(signs, path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
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

// shared tells of uses of sync, but for what is made once, and of tests beside others.
func shared(s *ast.SelectorExpr) (sign string, is bool) {
	of, _ := s.X.(*ast.Ident)
	switch {
	case of != nil && of.Name == "sync":
		return "sync." + s.Sel.Name, !strings.HasPrefix(s.Sel.Name, "Once")
	case of != nil && of.Name == "t" && s.Sel.Name == "Parallel":
		return "a parallel test", true
	}
	return "", false
}

// Each sign that something happens beside something else is seen.
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
		`import _ "` + module + `internal/store"`:         1,
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
