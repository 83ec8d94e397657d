// Command accuracy measures how often the helpers are right, on what they have not
// seen, and writes it as Markdown.
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
	{"Columns of client tables", mapping},
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
