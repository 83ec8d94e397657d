package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// docs/operating.md explains exactly the existing exit codes.
func TestDocumentationListsEveryExitCode(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Exit codes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| \S`).FindAllStringSubmatch(section, -1) {
		listed = append(listed, row[1])
	}
	if codes := declared(t); !slices.Equal(listed, codes) {
		t.Errorf("the document lists %q, the program has %q", listed, codes)
	}
}

// declared returns the codes that exit.go declares.
func declared(t *testing.T) (codes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "exit.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "exit") {
			codes = append(codes, spec.Values[0].(*ast.BasicLit).Value)
		}
		return true
	})
	return codes
}

// Each error ends the program with its exit code, also if it is joined with others.
func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0}, {errors.New("any"), 1}, {errBroken, 3}, {errInvalidPack, 3}, {errUnhealthy, 4}, {errors.Join(errUnhealthy, errors.New("close")), 4}, {fmt.Errorf("audit: %w", errBroken), 3},
		{fmt.Errorf("restore: %w", &backup.Damaged{What: "cut"}), 3}, {errElsewhere, 5},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%v: %d", c.err, got)
		}
	}
}

// A wrong setting or command line ends every command with exit code 2 before it does anything.
func TestWrongSettingsEndWith2(t *testing.T) {
	for _, args := range [][]string{
		{"serve", "--limit-ai=x"}, {"config", "check", "--config=/no/such/file"}, {"doctor", "--customs-mode=hmrc"}, {"no-such-command"}, {"config", "show", "--addr=8080"},
	} {
		if got := run(args); got != exitUsage {
			t.Errorf("%q: %d", args, got)
		}
	}
	for _, args := range [][]string{{"config", "check"}, {"config", "show", "--redacted"}, {"config", "schema"}, {"version"}, {"version", "--json"}} {
		if got := run(args); got != exitOK {
			t.Errorf("%q: %d", args, got)
		}
	}
	if got := run([]string{"health", "--addr=127.0.0.1:1"}); got != exitFault {
		t.Errorf("health without a service: %d", got)
	}
}

// Each fault is printed on its own line.
func TestRefuse(t *testing.T) {
	for _, err := range []error{&config.Invalid{Faults: []string{"one", "two"}}, errors.New("other")} {
		if got := refuse(err); got != exitUsage {
			t.Errorf("%v: %d", err, got)
		}
	}
}

// The backup command with PostgreSQL, and restoring a file that is no backup, have exit codes of their own.
func TestBackupEndsWithItsCode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := "--data=" + filepath.Join(t.TempDir(), "data")
	for want, args := range map[int][]string{
		exitElsewhere: {"backup", file, "--database-url=postgres://user:secret@127.0.0.1:1/d"},
		exitBroken:    {"restore", file, data},
		exitFault:     {"backup", file, data},
		exitUsage:     {"move", "--from=sqlite:x"},
	} {
		if got := run(args); got != want {
			t.Errorf("%q: %d, want %d", args, got, want)
		}
	}
}
