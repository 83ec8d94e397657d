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

// commit is the released commit.
type commit struct {
	Hash    string
	Version string
	At      time.Time // UTC
}

// abbreviated is the number of characters of a hash in a version without a tag.
const abbreviated = 12

// versionFile contains the version that is released next, or by this commit, such as 1.2.3. So a clone without tags
// knows it too.
const versionFile = "VERSION"

// checkedOut returns the commit of the working directory, which must have no changes. Its version is that of its tag,
// which must match versionFile. Without a tag it is a development version before that, with time and hash.
func checkedOut(ctx context.Context) (c commit, err error) {
	changes, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return c, err
	}
	if changes != "" {
		return c, fmt.Errorf("there are changes that are not committed:\n%s", changes)
	}
	shown, err := output(ctx, "git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return c, err
	}
	hash, at, _ := strings.Cut(shown, " ")
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

// committed returns the commit's time in the format of programs and bills of materials.
func (c commit) committed() string { return c.At.Format(time.RFC3339) }

// output runs a program and returns its output without the last line break.
func output(ctx context.Context, name string, args ...string) (string, error) {
	return outputOf(exec.CommandContext(ctx, name, args...)) // #nosec G204 -- called with what stands in this package
}

func outputOf(cmd *exec.Cmd) (string, error) {
	output, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(output), "\n"), nil
}
