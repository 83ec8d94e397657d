package bulk

import "strings"

// delimiters are the supported delimiters; the first is the default.
var delimiters = []byte{',', ';', '\t'}

// firstRecords is the number of records that are examined to detect the delimiter.
const firstRecords = 20

// detectDelimiter detects the delimiter of a text and the offset of its first record: Excel writes a first
// line such as sep=; which is skipped.
func detectDelimiter(text string) (comma byte, from int) {
	for _, d := range delimiters {
		line := "sep=" + string(rune(d))
		if rest, ok := strings.CutPrefix(text, line); ok && (rest == "" || rest[0] == '\r' || rest[0] == '\n') {
			return d, len(line) + len(rest) - len(strings.TrimLeft(rest, "\r\n"))
		}
	}
	best := 0
	for _, d := range delimiters {
		if fit := scoreDelimiter(text, d); comma == 0 || fit > best {
			comma, best = d, fit
		}
	}
	return comma, 0
}

// scoreDelimiter returns the number of columns with a delimiter. It is much higher if all records have the
// same number of columns.
func scoreDelimiter(text string, comma byte) int {
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
