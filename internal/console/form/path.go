package form

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Path returns the label of a member by its path, such as “Item 1, country of origin” for items[0].countryOfOrigin.
func Path(field string) string {
	var parts []string
	for _, step := range strings.Split(field, ".") {
		name, index, listed := strings.Cut(step, "[")
		label := Label(name)
		if listed {
			label = Label(Singular(name)) + " " + placeOf(strings.TrimSuffix(index, "]"))
		}
		if len(parts) > 0 && !keepsCapitals.MatchString(label) {
			label = strings.ToLower(label[:1]) + label[1:]
		}
		parts = append(parts, label)
	}
	return strings.Join(parts, ", ")
}

// keepsCapitals matches labels that begin with an abbreviation, such as VAT number.
var keepsCapitals = lazyregexp.New(`^[A-Z][A-Z0-9]`)

// placeOf returns the place of an index, counted from 1.
func placeOf(index string) string {
	n, err := strconv.Atoi(index)
	if err != nil {
		return index
	}
	return strconv.Itoa(n + 1)
}
