package nomenclature

// Text is a trader's wording with the code that it leads to, of two to ten digits.
type Text struct {
	Text string
	Code string
}
