package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Any configuration file, in either form: every fault names the file and is short, only existing settings are set, and
// the same file gives the same settings.
func FuzzFile(f *testing.F) {
	for _, text := range []string{
		"addr: 0.0.0.0:1\nwebhook-allow: [10.0.0.0/8]\ncustoms: {mode: hmrc, rate: 2.5}\n", "TIDEWAITER_ADDR=\"x\"\n# y\nTIDEWAITER_LIMIT_AI=-1\n",
		"a: &a [*a]\n", "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n", "? [a]\n: b\n", "--- {}\n--- {}\n", "!!binary x: !!set y\n", "<<: {addr: x}\n", "addr: \x00", "{", "\t", "addr: |\n  x\n",
	} {
		f.Add(text)
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"t.yaml", "t.env"} {
			file := filepath.Join(folder, name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			once := map[string]string{}
			err := load(once, "--config", file)
			for _, fault := range faults(err) {
				if !strings.Contains(fault, name) || len(fault) > 2000+len(folder) {
					t.Errorf("%q: %s", text, fault)
				}
			}
			twice := map[string]string{}
			if load(twice, "--config", file); !maps.Equal(once, twice) {
				t.Errorf("%q gives %v, then %v", text, once, twice)
			}
			checkNames(t, text, once)
		}
	})
}

func checkNames(t *testing.T, text string, set map[string]string) {
	t.Helper()
	var c config.Config
	settings, err := config.Settings(&c)
	if err != nil {
		t.Fatal(err)
	}
	for name := range set {
		known := false
		for _, s := range settings {
			known = known || s.Variable == strings.TrimSuffix(name, "_FILE") || s.Variable == name
		}
		if !known {
			t.Errorf("%q sets %s", text, name)
		}
	}
}
