package bulk

import "strings"

// delimiters are those that are known; the first is meant when nothing tells.
var delimiters = []byte{',', ';', '\t'}

// firstRecords is how many records are looked at to find the delimiter.
const firstRecords = 20

// delimited finds the delimiter of a text, and where its first record begins: some
// programs write a line of their own that names the delimiter.
func delimited(text string) (comma byte, from int) {
	for _, d := range delimiters {
		line := "sep=" + string(rune(d))
		if rest, ok := strings.CutPrefix(text, line); ok && (rest == "" || rest[0] == '\r' || rest[0] == '\n') {
			return d, len(line) + len(rest) - len(strings.TrimLeft(rest, "\r\n"))
		}
	}
	best := 0
	for _, d := range delimiters {
		if fit := fitness(text, d); comma == 0 || fit > best {
			comma, best = d, fit
		}
	}
	return comma, 0
}

// fitness is the number of columns that a delimiter makes; it counts for much more
// where every record has as many.
func fitness(text string, comma byte) int {
	const alike = 1 << 20
	r := reader{text: text, comma: comma}
	columns, same := 0, true
	for n := 0; n < firstRecords; {
		if _, ok := r.next(); !ok {
			break
		}
		if r.empty() {
			continue
		}
		if n++; n == 1 {
			columns = r.count
		}
		same = same && r.count == columns
	}
	if same && columns > 1 {
		return columns + alike
	}
	return columns
}
