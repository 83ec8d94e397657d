package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is the program that is released.
const target = "./cmd/tidewaiter"

// module is one of which packages are linked into the program. Go's own library
// counts as one: std.
type module struct {
	Path, Version, Sum string
	Dir                string
	Licences           []licence
	Needs              []string // paths of modules

	folders []string // of its packages, and those above
}

const std = "std"

// listed is as much of a package as `go list` is asked for.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Root            string
	Imports         []string
	ImportMap       map[string]string
	Module          *struct {
		Path, Version, Sum, Dir string
		Main                    bool
		Replace                 *struct{ Path string }
	}
}

// modulesOf are the modules of which a platform's program is linked, in the order of
// their paths; the program's own is not among them. Each has licences that are allowed.
func modulesOf(ctx context.Context, p platform) ([]*module, error) {
	cmd := p.command(ctx, "list", "-deps", "-json=ImportPath,Dir,Standard,Root,Imports,ImportMap,Module", target)
	said, err := outputOf(cmd)
	if err != nil {
		return nil, err
	}
	packages, err := decode(said)
	if err != nil {
		return nil, err
	}
	modules, err := gather(packages)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if err := m.license(); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

func decode(said string) (packages []listed, err error) {
	for d := json.NewDecoder(strings.NewReader(said)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// gather puts packages together by their modules.
func gather(packages []listed) (modules []*module, err error) {
	byPath, home := map[string]*module{}, map[string]string{}
	for _, p := range packages {
		m, err := p.module()
		if err != nil {
			return nil, err
		}
		home[p.ImportPath] = m.Path
		if byPath[m.Path] == nil && !(p.Module != nil && p.Module.Main) {
			byPath[m.Path] = m
			modules = append(modules, m)
		}
		if known := byPath[m.Path]; known != nil {
			known.folders = append(known.folders, above(p.Dir, known.Dir)...)
		}
	}
	for _, p := range packages {
		m := byPath[home[p.ImportPath]]
		for _, name := range p.Imports {
			if mapped, ok := p.ImportMap[name]; ok {
				name = mapped
			}
			if to := home[name]; m != nil && to != "" && to != m.Path {
				m.Needs = append(m.Needs, to)
			}
		}
	}
	for _, m := range modules {
		m.Needs, m.folders = sortedSet(m.Needs), sortedSet(m.folders)
	}
	slices.SortFunc(modules, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// module is where a package is from.
func (p listed) module() (*module, error) {
	switch {
	case p.Standard:
		return &module{Path: std, Version: runtime.Version(), Dir: p.Root}, nil
	case p.Module == nil:
		return nil, fmt.Errorf("%s is of no module", p.ImportPath)
	case p.Module.Replace != nil:
		return nil, fmt.Errorf("%s is replaced by %s", p.Module.Path, p.Module.Replace.Path)
	}
	return &module{Path: p.Module.Path, Version: p.Module.Version, Sum: p.Module.Sum, Dir: p.Module.Dir}, nil
}

// above are a package's folder and those above it, up to its module's.
func above(folder, top string) (folders []string) {
	for ; len(folder) >= len(top); folder = filepath.Dir(folder) {
		folders = append(folders, folder)
	}
	return folders
}

func sortedSet(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
