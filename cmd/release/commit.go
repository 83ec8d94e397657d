package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
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

// checkedOut is the commit of the working directory, which must hold nothing else. A tag
// such as v1.2.3 on the commit itself is its version; what lies before it does not count,
// since a clone need not have it.
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
	c.Version, _, _ = strings.Cut(tags, "\n")
	if c.Version == "" {
		c.Version = fmt.Sprintf("v0.0.0-%s-%s", c.At.Format("20060102150405"), c.Hash[:abbreviated])
	}
	return c, err
}

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
