// Command accuracy measures how often the helpers are right, and writes what it found
// as Markdown.
package main

import (
	"fmt"
	"io"
	"os"
)

// parts are the sections.
var parts = []struct {
	title   string
	measure func(io.Writer) error
}{
	{"Extraction of documents", extraction},
}

func main() {
	for _, p := range parts {
		fmt.Printf("## %s\n\n", p.title)
		if err := p.measure(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "accuracy:", err)
			os.Exit(1)
		}
	}
}
