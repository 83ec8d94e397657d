package main

import (
	"fmt"
	"runtime"
)

// Version and commit, set by the linker.
var (
	version   = "development"
	commit    string // in full
	committed string // when, as RFC 3339 in UTC
)

type versionCommand struct {
	JSON bool `help:"Answer in JSON."`
}

// Run prints the version.
func (v versionCommand) Run() error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if v.JSON {
		return printJSON(map[string]string{"version": version, "commit": commit, "committed": committed, "go": runtime.Version(), "platform": platform})
	}
	fmt.Printf("tidewaiter %s\n", version)
	if commit != "" {
		fmt.Printf("commit     %s of %s\n", commit, committed)
	}
	_, err := fmt.Printf("built by   %s for %s\n", runtime.Version(), platform)
	return err
}
