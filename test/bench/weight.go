package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Requirements for the size of the program, and for the processor time that a build from nothing takes in comparison with
// that of the standard library.
const (
	maxProgram = 60 // MB
	maxBuild   = 3.4
)

// Origins of packages that belong to no library.
const (
	ownPackages = "Tidewaiter"
	standard    = "standard library"
	dataOfLinks = "tables of the linker"
)

// weight is what the packages of one module add to the program.
type weight struct {
	module string
	size   int64         // of its functions and data, in bytes
	built  time.Duration // processor time of the compiler
}

// measureWeight builds the standard library and the program from nothing, and says what each module adds.
func measureWeight(ctx context.Context, b *bench) (section, error) {
	modules, err := modulesOf(ctx)
	if err != nil {
		return section{}, err
	}
	_, library, err := b.coldBuild(ctx, "std", modules, "std")
	if err != nil {
		return section{}, err
	}
	program := filepath.Join(b.folder, "weighed")
	times, whole, err := b.coldBuild(ctx, "program", modules, "-trimpath", "-o", program, "./cmd/tidewaiter")
	if err != nil {
		return section{}, err
	}
	sizes, err := sizesOf(ctx, program, modules)
	if err != nil {
		return section{}, err
	}
	stripped := filepath.Join(b.folder, "stripped")
	if err := goCommand(ctx, "build", "-trimpath", "-ldflags=-s -w", "-o", stripped, "./cmd/tidewaiter").Run(); err != nil {
		return section{}, err
	}
	file, err := os.Stat(stripped)
	if err != nil {
		return section{}, err
	}
	var rows [][]string
	for _, w := range heaviest(sizes, times) {
		rows = append(rows, []string{w.module, short(float64(w.size) / 1e6), short(w.built.Seconds())})
	}
	return section{
		text: fmt.Sprintf("The program without tables for debuggers, and the processor time of a build from nothing: %s s, and %s s for the standard library alone. "+
			"The size of a module is that of its functions and data, without what the linker adds for them.", short(whole.Seconds()), short(library.Seconds())),
		head: []string{"", "MB", "build, s of processor"},
		rows: rows,
		verdicts: []verdict{
			below("size of the program", float64(file.Size())/1e6, maxProgram, "MB"),
			below("build from nothing to that of the standard library", whole.Seconds()/library.Seconds(), maxBuild, ""),
		},
	}, nil
}

// heaviest are the modules by size, the largest first.
func heaviest(sizes map[string]int64, times map[string]time.Duration) (all []weight) {
	for module, size := range sizes {
		all = append(all, weight{module, size, times[module]})
	}
	slices.SortFunc(all, func(a, b weight) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.module, b.module)) })
	return all
}

// modulesOf returns the module of each package of the program.
func modulesOf(ctx context.Context) (map[string]string, error) {
	list := goCommand(ctx, "list", "-deps", "-f", `{{.ImportPath}} {{if .Standard}}-{{else}}{{if .Module.Main}}.{{else}}{{.Module.Path}}{{end}}{{end}}`, "./cmd/tidewaiter")
	text, err := list.Output()
	if err != nil {
		return nil, err
	}
	modules := map[string]string{"main": ownPackages}
	for line := range strings.Lines(string(text)) {
		path, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch module {
		case "-":
			module = standard
		case ".":
			module = ownPackages
		}
		modules[path] = module
	}
	return modules, nil
}

// coldBuild builds with an empty cache and returns the processor time, by module and of all.
func (b *bench) coldBuild(ctx context.Context, name string, modules map[string]string, args ...string) (times map[string]time.Duration, whole time.Duration, err error) {
	cache, graph := filepath.Join(b.folder, "cache-"+name), filepath.Join(b.folder, "graph-"+name)
	build := goCommand(ctx, append([]string{"build", "-debug-actiongraph=" + graph}, args...)...)
	build.Env = append(build.Env, "GOCACHE="+cache)
	err = build.Run()
	_ = os.RemoveAll(cache)
	if err != nil {
		return nil, 0, err
	}
	text, err := os.ReadFile(graph)
	if err != nil {
		return nil, 0, err
	}
	var actions []struct {
		Package         string
		CmdUser, CmdSys time.Duration
	}
	if err := json.Unmarshal(text, &actions); err != nil {
		return nil, 0, err
	}
	times = map[string]time.Duration{}
	for _, a := range actions {
		times[modules[a.Package]] += a.CmdUser + a.CmdSys
		whole += a.CmdUser + a.CmdSys
	}
	return times, whole, nil
}

// sizesOf adds up the symbols of a program by module.
func sizesOf(ctx context.Context, program string, modules map[string]string) (map[string]int64, error) {
	list := goCommand(ctx, "tool", "nm", "-size", program)
	text, err := list.Output()
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.Contains("TtRrDd", fields[2]) {
			continue // it takes no room in the file
		}
		size, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, err
		}
		sizes[moduleOfSymbol(fields[3], modules)] += size
	}
	return sizes, lines.Err()
}

// moduleOfSymbol returns the module of a symbol such as net/http.(*Client).Do.
func moduleOfSymbol(symbol string, modules map[string]string) string {
	slash := strings.LastIndexByte(strings.SplitN(symbol, "[", 2)[0], '/')
	dot := strings.IndexByte(symbol[slash+1:], '.')
	if dot < 0 {
		return dataOfLinks
	}
	path := strings.ReplaceAll(symbol[:slash+1+dot], "%2e", ".")
	if module, ok := modules[path]; ok {
		return module
	}
	return dataOfLinks
}
