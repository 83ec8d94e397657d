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

// target is the released program.
const target = "./cmd/tidewaiter"

// module is a module with packages that are linked into the program. Go's standard library counts as the module std.
type module struct {
	Path, Version, Sum string
	Dir                string
	Licences           []licence
	Needs              []string // paths of modules

	folders []string // of its packages, and those above
}

const std = "std"

// listed are the fields of a package that `go list` prints.
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

// modulesOf returns the modules that are linked into a platform's program, sorted by path, without the program's own.
// All have accepted licences.
func modulesOf(ctx context.Context, p platform) ([]*module, error) {
	cmd := p.command(ctx, "list", "-deps", "-json=ImportPath,Dir,Standard,Root,Imports,ImportMap,Module", target)
	output, err := outputOf(cmd)
	if err != nil {
		return nil, err
	}
	packages, err := decode(output)
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

func decode(output string) (packages []listed, err error) {
	for d := json.NewDecoder(strings.NewReader(output)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// gather groups packages by module.
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

// module returns the module of a package.
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

// above returns a package's folder and its parents up to the module's.
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
