package gvms

// maxTypos returns how many letters may be wrong in a name of a length.
func maxTypos(length int) int {
	if length < 6 {
		return 1
	}
	return 2
}

// nearest returns the name of the port that a misspelt name probably means, or "" if there is none or more than one.
func nearest(text string) string {
	found, least, several := "", maxTypos(len(text))+1, false
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

// longestSpelling is longer than any port name.
const longestSpelling = 40

// distance returns the optimal string alignment distance of two texts: the number of letters to change, insert, delete or
// swap with a neighbour. Neither text may be longer than longestSpelling.
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
