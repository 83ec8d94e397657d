package csvio

// AppendCell appends a cell without a separator. It quotes the cell where RFC 4180 requires
// it, and writes an apostrophe before a cell that a spreadsheet would run as a formula.
func AppendCell[T ~string | ~[]byte](row []byte, cell T) []byte {
	if len(cell) == 0 {
		return row
	}
	guarded := IsFormula(cell)
	if !needsQuotes(cell) {
		if guarded {
			row = append(row, '\'')
		}
		return append(row, cell...)
	}
	row = append(row, '"')
	if guarded {
		row = append(row, '\'')
	}
	from := 0
	for i := range len(cell) {
		if cell[i] == '"' {
			row = append(append(row, cell[from:i+1]...), '"')
			from = i + 1
		}
	}
	return append(append(row, cell[from:]...), '"')
}

func needsQuotes[T ~string | ~[]byte](cell T) bool {
	for i := range len(cell) {
		if c := cell[i]; c == ',' || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// IsFormula reports whether a spreadsheet might run a cell; a signed number is not a formula.
// Spreadsheets skip a byte order mark, and some read full-width signs as the plain ones.
func IsFormula[T ~string | ~[]byte](cell T) bool {
	for hasPrefix(cell, byteOrderMark) {
		cell = cell[len(byteOrderMark):]
	}
	if len(cell) == 0 {
		return false
	}
	switch cell[0] {
	case '=', '@', '\t', '\r', '\n':
		return true
	case '+', '-':
		return !isNumber(cell[1:])
	}
	return hasPrefix(cell, "＝") || hasPrefix(cell, "＋") || hasPrefix(cell, "－") || hasPrefix(cell, "＠")
}

const byteOrderMark = "\ufeff"

func hasPrefix[T ~string | ~[]byte](cell T, prefix string) bool {
	return len(cell) >= len(prefix) && string(cell[:len(prefix)]) == prefix
}

// isNumber reports whether text is digits with an optional fraction and exponent.
func isNumber[T ~string | ~[]byte](text T) bool {
	at := digits(text, 0)
	if at == 0 {
		return false
	}
	if at < len(text) && text[at] == '.' {
		after := digits(text, at+1)
		if after == at+1 {
			return false
		}
		at = after
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		at++
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		after := digits(text, at)
		if after == at {
			return false
		}
		at = after
	}
	return at == len(text)
}

// digits returns the end of the digits that begin at a position.
func digits[T ~string | ~[]byte](text T, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}
