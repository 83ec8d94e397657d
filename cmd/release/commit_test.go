package main

import (
	"os"
	"strings"
	"testing"
)

// A release is of exactly one commit: the version is that of its own tag, not of earlier ones, and uncommitted changes
// are rejected.
func TestCheckedOut(t *testing.T) {
	t.Chdir(t.TempDir())
	env := []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_COMMITTER_DATE=2026-03-01T01:30:00+02:00",
	}
	git := func(args ...string) { t.Helper(); run(t, ".", env, "git", args...) }
	version := func(text string) {
		t.Helper()
		if err := os.WriteFile("VERSION", []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", "VERSION")
	}
	git("init", "-q")
	version("1.0.0")
	git("commit", "-q", "-m", "First")
	git("tag", "v1.0.0")
	git("tag", "nightly")
	if c, err := checkedOut(t.Context()); err != nil || c.Version != "v1.0.0" || len(c.Hash) != 40 || c.committed() != "2026-02-28T23:30:00Z" {
		t.Errorf("%+v, %v", c, err)
	}
	version("1.1.0")
	git("commit", "-q", "-m", "Second")
	if c, err := checkedOut(t.Context()); err != nil || c.Version != "v1.1.0-dev.20260228233000."+c.Hash[:12] {
		t.Errorf("%+v, %v", c, err)
	}
	git("tag", "v1.2.0")
	if c, err := checkedOut(t.Context()); err == nil || !strings.Contains(err.Error(), "has the tag v1.2.0, but VERSION says 1.1.0") {
		t.Errorf("%+v, %v", c, err)
	}
	git("tag", "-d", "v1.2.0")
	version("soon")
	git("commit", "-q", "-m", "Third")
	if c, err := checkedOut(t.Context()); err == nil || !strings.Contains(err.Error(), "not a version") {
		t.Errorf("%+v, %v", c, err)
	}
	if err := os.WriteFile("new", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := checkedOut(t.Context()); err == nil || !strings.Contains(err.Error(), "not committed") {
		t.Errorf("%+v, %v", c, err)
	}
}

// Existing files in the output folder are neither removed nor mixed with a release.
func TestBuildRefusesAFullFolder(t *testing.T) {
	if err := (buildCommand{Out: "."}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
}
