// Command release makes the files of a release: for each platform an archive with the program, and its bill of
// materials. The same commit and the same version of Go give the same bytes on any machine. It also checks the
// licences.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"
)

type program struct {
	Build    buildCommand    `cmd:"" help:"Make the release of the commit that is checked out."`
	Licences licencesCommand `cmd:"" help:"List the licences of all linked modules; fail if one is not accepted."`
}

func main() {
	var p program
	command := kong.Parse(&p, kong.Name("release"))
	command.BindTo(context.Background(), (*context.Context)(nil))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type buildCommand struct {
	Out      string     `default:"dist" help:"Folder for the release, which holds nothing yet."`
	Platform []platform `default:"linux/amd64,linux/arm64,darwin/amd64,darwin/arm64" help:"Platforms, as GOOS/GOARCH."`
}

// Run releases the repository in the working directory.
func (b buildCommand) Run(ctx context.Context) error {
	if held, err := os.ReadDir(b.Out); err == nil && len(held) > 0 {
		return fmt.Errorf("the folder %s is not empty", b.Out)
	}
	c, err := checkedOut(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(b.Out, 0o755); err != nil { // #nosec G301 -- to be given out
		return err
	}
	var sums sums
	for _, p := range b.Platform {
		made, err := release(ctx, c, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		for _, f := range made {
			if err := sums.write(b.Out, f); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(b.Out, "SHA256SUMS"), sums.text(), 0o644); err != nil { // #nosec G306 -- to be given out
		return err
	}
	_, err = os.Stdout.Write(sums.text())
	return err
}

type licencesCommand struct {
	Platform []platform `default:"linux/amd64,linux/arm64,darwin/amd64,darwin/arm64" help:"Platforms, as GOOS/GOARCH."`
}

// Run checks the licences of what is linked into the program on all platforms.
func (l licencesCommand) Run(ctx context.Context) error {
	listed := map[string]bool{}
	for _, p := range l.Platform {
		linked, err := modulesOf(ctx, p)
		if err != nil {
			return err
		}
		for _, m := range linked {
			if line := fmt.Sprintf("%-55s %-40s %s", m.Path, m.Version, m.expression()); !listed[line] {
				fmt.Println(line)
				listed[line] = true
			}
		}
	}
	return nil
}
