package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// linked returns the modules of the program for Linux, from this machine's module cache.
var linked = sync.OnceValues(func() (map[string]*module, error) {
	if err := os.Chdir(root); err != nil {
		return nil, err
	}
	defer func() { _ = os.Chdir("cmd/release") }()
	all, err := modulesOf(context.Background(), platform{"linux", "amd64"})
	byPath := map[string]*module{}
	for _, m := range all {
		byPath[m.Path] = m
	}
	return byPath, err
})

func modules(t *testing.T) map[string]*module {
	t.Helper()
	all, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Licences are identified by their texts, also several in one file. Every linked module has an accepted one.
func TestLicencesOfTheProgram(t *testing.T) {
	all := modules(t)
	for path, want := range map[string]string{
		"std": "BSD-3-Clause", "github.com/alecthomas/kong": "MIT", "github.com/gomodule/redigo": "Apache-2.0",
		"github.com/coreos/go-oidc/v3": "Apache-2.0", "go.opentelemetry.io/otel": "Apache-2.0 AND BSD-3-Clause",
		"modernc.org/sqlite": "BSD-3-Clause AND LicenseRef-SQLite-public-domain AND MIT",
	} {
		if m := all[path]; m == nil || m.expression() != want {
			t.Errorf("%s: %+v", path, m)
		}
	}
	if len(all) < 50 {
		t.Errorf("only %d modules", len(all))
	}
}

// Additional terms, other licences and unknown texts are rejected; owners' names are not terms.
func TestIdentify(t *testing.T) {
	mit := modules(t)["github.com/alecthomas/kong"].Licences[0].Text
	bsd := modules(t)["std"].Licences[0].Text
	for name, c := range map[string]struct{ text, want, fault string }{
		"plain":         {mit, "MIT", ""},
		"more owners":   {mit + strings.Repeat("Copyright (c) 2020 Another Owner\n", 4), "MIT", ""},
		"other spacing": {strings.ReplaceAll(mit, "\n", "\r\n   "), "MIT", ""},
		"two":           {mit + bsd, "MIT BSD-3-Clause", ""},
		"no selling":    {mit + strings.Repeat("the right to sell the software is not granted ", 8), "", "more than MIT"},
		"only good":     {mit + "The Software shall be used for Good, not Evil.", "", "none of the licences"},
		"with the GPL":  {mit + strings.Repeat("GNU GENERAL PUBLIC LICENSE Version 3, 29 June 2007. ", 20), "", "more than MIT"},
		"GPL":           {"GNU GENERAL PUBLIC LICENSE Version 3, 29 June 2007", "", "none of the licences"},
		"nothing":       {"", "", "none of the licences"},
		"only a link":   {"https://example.com/licence", "", "none of the licences"},
	} {
		ids, err := identify(c.text)
		if got := strings.Join(ids, " "); got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// A module's licences are those in its folder and in the folders down to linked packages. It fails if there is none, or
// if any of them is rejected.
func TestLicense(t *testing.T) {
	mit := modules(t)["github.com/alecthomas/kong"].Licences[0].Text
	bsd := modules(t)["golang.org/x/crypto"].Licences[0].Text
	for name, c := range map[string]struct {
		files       map[string]string
		want, fault string
	}{
		"one":             {map[string]string{"LICENSE": mit, "NOTICE": "thanks"}, "MIT", ""},
		"on the way":      {map[string]string{"LICENCE.md": mit, "a/COPYING": bsd}, "BSD-3-Clause AND MIT", ""},
		"elsewhere":       {map[string]string{"LICENSE": mit, "other/LICENSE": "all rights reserved"}, "MIT", ""},
		"none":            {map[string]string{"README": mit, "license.go": mit, "NOTICE": mit}, "", "has no licence"},
		"refused":         {map[string]string{"LICENSE": mit, "a/b/LICENSE": "all rights reserved"}, "", "a/b/LICENSE: none of the licences"},
		"not to be read":  {map[string]string{"LICENSE": strings.Repeat("x", maxLicence+1)}, "", "cannot be a licence"},
		"UNLICENSE, LGPL": {map[string]string{"UNLICENSE": "LGPL"}, "", "none of the licences"},
	} {
		top := t.TempDir()
		for file, text := range c.files {
			at := filepath.Join(top, file)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Join(top, "a", "b"), 0o755); err != nil {
			t.Fatal(err)
		}
		m := &module{Path: "m", Dir: top, folders: sortedSet(above(filepath.Join(top, "a", "b"), top))}
		if err := m.license(); (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) || err == nil && m.expression() != c.want {
			t.Errorf("%s: %q, %v", name, m.expression(), err)
		}
	}
}
