package source

// Heard is a document of lines that somebody else read out of a file, within the
// limits of every text.
func Heard(format Format, lines []string) Document {
	b := &builder{doc: Document{Format: format}}
	b.page("")
	for _, l := range lines {
		b.line([]Cell{{Text: l, Right: len(l)}}, false)
	}
	return b.done()
}
