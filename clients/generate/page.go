package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// examples are the programs whose parts the page shows, by the language of the code block.
var examples = map[string]string{
	"sh":         "curl/integrating.sh",
	"typescript": "typescript/examples/integrating.ts",
	"go":         "go/examples/integrating/main.go",
	"python":     "python/examples/integrating.py",
}

// fillPage returns the page with the current code in its blocks: in the section "Limits" that is what stands between
// the lines "[limits]" and "[end]" of the language's program.
func fillPage(page, clients string) ([]byte, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{}
	for language, file := range examples {
		program, err := os.ReadFile(filepath.Join(clients, file))
		if err != nil {
			return nil, err
		}
		for name, code := range regions(string(program)) {
			parts[name+" "+language] = code
		}
	}
	var out bytes.Buffer
	section, inside := "", false
	for _, line := range strings.SplitAfter(string(text), "\n") {
		language, fence := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "```")
		switch {
		case inside && fence:
			inside = false
		case inside:
			continue
		case strings.HasPrefix(line, "## "):
			section = strings.ToLower(strings.TrimSpace(line[len("## "):]))
		case fence && examples[language] != "":
			code, ok := parts[section+" "+language]
			if !ok {
				return nil, fmt.Errorf("%s: %s has no part [%s]", page, examples[language], section)
			}
			inside = true
			line += code
		}
		out.WriteString(line)
	}
	return out.Bytes(), nil
}

var region = regexp.MustCompile(`(?ms)^\S+ \[([a-z]+)\]\n(.*?)^\S+ \[end\]\n`)

// regions are the named parts of a program, without empty lines at their ends.
func regions(program string) map[string]string {
	found := map[string]string{}
	for _, m := range region.FindAllStringSubmatch(program, -1) {
		found[m[1]] = strings.Trim(m[2], "\n") + "\n"
	}
	return found
}
