package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// commit is what a release is made of.
type commit struct {
	Hash    string
	Version string
	At      time.Time // UTC
}

// abbreviated is how much of a hash stands in the version of a commit without a tag.
const abbreviated = 12

// versionFile holds the version that is released next, or was released by this commit, such
// as 1.2.3. A clone need not have tags, and still knows it.
const versionFile = "VERSION"

// checkedOut is the commit of the working directory, which must hold nothing else. Its version
// is that of the tag on it, which must agree with versionFile; a commit without a tag is a
// development version before that, with its time and hash.
func checkedOut(ctx context.Context) (c commit, err error) {
	changes, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return c, err
	}
	if changes != "" {
		return c, fmt.Errorf("there are changes that are not committed:\n%s", changes)
	}
	told, err := output(ctx, "git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return c, err
	}
	hash, at, _ := strings.Cut(told, " ")
	c.Hash = hash
	if c.At, err = time.Parse(time.RFC3339, at); err != nil {
		return c, err
	}
	c.At = c.At.UTC()
	tags, err := output(ctx, "git", "tag", "--points-at", "HEAD", "--list", "v[0-9]*")
	if err != nil {
		return c, err
	}
	text, err := os.ReadFile(versionFile)
	if err != nil {
		return c, err
	}
	next := "v" + strings.TrimSpace(string(text))
	c.Version, _, _ = strings.Cut(tags, "\n")
	switch {
	case !versionForm.MatchString(next):
		return c, fmt.Errorf("%s holds %q, which is not a version such as 1.2.3", versionFile, text)
	case c.Version == "":
		c.Version = fmt.Sprintf("%s-dev.%s.%s", next, c.At.Format("20060102150405"), c.Hash[:abbreviated])
	case c.Version != next:
		return c, fmt.Errorf("the commit has the tag %s, but %s says %s", c.Version, versionFile, next[1:])
	}
	return c, nil
}

var versionForm = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// committed is the commit's time as programs and bills of materials have it.
func (c commit) committed() string { return c.At.Format(time.RFC3339) }

// output runs a program and gives what it said, without the end of the last line.
func output(ctx context.Context, name string, args ...string) (string, error) {
	return outputOf(exec.CommandContext(ctx, name, args...)) // #nosec G204 -- called with what stands in this package
}

func outputOf(cmd *exec.Cmd) (string, error) {
	said, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(said), "\n"), nil
}
