package gvms

// slips are the letters that may be wrong in a name of so many letters.
func slips(length int) int {
	if length < 6 {
		return 1
	}
	return 2
}

// nearest is the port's name that a misspelt one is likely to stand for, empty where
// there is none or more than one as near.
func nearest(text string) string {
	found, least, several := "", slips(len(text))+1, false
	for name := range byName {
		if difference := len(name) - len(text); difference > least || -difference > least || len(text) > longestSpelling-2 {
			continue
		}
		switch d := distance(text, name); {
		case d < least:
			found, least, several = name, d, false
		case d == least && found != "" && byName[name] != byName[found]:
			several = true
		}
	}
	if several {
		return ""
	}
	return found
}

// longestSpelling is longer than the name of any port.
const longestSpelling = 40

// distance counts the letters to change, add or leave out, and neighbours to swap,
// that lead from one text to the other (optimal string alignment). Neither is longer
// than longestSpelling.
func distance(a, b string) int {
	var rows [3][longestSpelling + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
