package source

// FromLines returns a document of lines that a model read from a file, within the same limits.
func FromLines(format Format, lines []string) Document {
	b := &builder{doc: Document{Format: format}}
	b.page("")
	for _, l := range lines {
		b.line([]Cell{{Text: l, Right: len(l)}}, false)
	}
	return b.done()
}
