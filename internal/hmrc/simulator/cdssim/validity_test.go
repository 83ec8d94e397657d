package cdssim_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

func schema(name string) string {
	return filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "xsd", "customs", name)
}

// collection is messages of several tests, for one run of the validator.
type collection struct {
	mu  sync.Mutex
	all []arrival
}

func (g *collection) add(received []arrival) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all = append(g.all, received...)
}

// validate holds messages against customs' own schema, where it and a validator are at hand.
func validate(t testing.TB, received []arrival) {
	t.Helper()
	var files []string
	folder := t.TempDir()
	for n, a := range received {
		file := filepath.Join(folder, fmt.Sprintf("%d-%s.xml", n, a.FunctionCode))
		if err := os.WriteFile(file, a.body, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	xmllint(t, "wrapper_notification.xsd", files...)
}

func xmllint(t testing.TB, xsd string, files ...string) {
	t.Helper()
	if _, err := os.Stat(schema(xsd)); err != nil {
		t.Skip("the schema is not beside the project")
	}
	program, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed")
	}
	out, err := exec.Command(program, append([]string{"--nonet", "--noout", "--schema", schema(xsd)}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("not valid: %s", out)
	}
}
