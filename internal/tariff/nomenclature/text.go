package nomenclature

// Text is a text with the code that it leads to, of two to ten digits.
type Text struct {
	Text string
	Code string
}
