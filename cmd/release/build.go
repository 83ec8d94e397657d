package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// platform is an operating system and architecture, such as linux/amd64.
type platform struct{ System, Machine string }

// UnmarshalText reads GOOS/GOARCH.
func (p *platform) UnmarshalText(text []byte) error {
	var ok bool
	if p.System, p.Machine, ok = strings.Cut(string(text), "/"); !ok {
		return fmt.Errorf("%s is no GOOS/GOARCH", text)
	}
	return nil
}

// String returns GOOS/GOARCH.
func (p platform) String() string { return p.System + "/" + p.Machine }

// command runs Go for the platform, independent of the user's settings: everything that affects the program's bytes is
// set here.
func (p platform) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...) // #nosec G204 -- called with what stands in this package
	cmd.Env = append(os.Environ(), "GOOS="+p.System, "GOARCH="+p.Machine, "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false -mod=readonly",
		"GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off", "GODEBUG=", "GOTOOLCHAIN="+runtime.Version())
	return cmd
}

// compile builds the platform's program of a commit, and compares its modules with the list.
func (p platform) compile(ctx context.Context, c commit, modules []*module) ([]byte, error) {
	folder, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "tidewaiter")
	flags := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s -X main.committed=%s", c.Version, c.Hash, c.committed())
	if _, err := outputOf(p.command(ctx, "build", "-ldflags", flags, "-o", file, target)); err != nil {
		return nil, err
	}
	if err := holds(file, modules); err != nil {
		return nil, err
	}
	return os.ReadFile(file) // #nosec G304 -- built just now
}

// holds returns an error if a program has other modules than these.
func holds(file string, modules []*module) error {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return err
	}
	inside, recorded := map[string]string{std: info.GoVersion + " "}, map[string]string{}
	for _, d := range info.Deps {
		inside[d.Path] = d.Version + " " + d.Sum
	}
	for _, m := range modules {
		recorded[m.Path] = m.Version + " " + m.Sum
	}
	if !maps.Equal(inside, recorded) {
		return fmt.Errorf("the program is made of %q, and not of %q", inside, recorded)
	}
	return nil
}
