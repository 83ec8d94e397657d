package ident

// Container is the number of a freight container (ISO 6346): three letters of the owner, a letter of the category, six
// digits and a check digit.
type Container string

var containerShape = newShape(`[A-Z]{3}[UJZ][0-9]{7}`, "must be three letters, then U, J or Z, and seven digits")

// ParseContainer reads a container's number; its check digit may be wrong.
func ParseContainer(text string) (Container, error) {
	s, err := containerShape.parse(text)
	return Container(s), err
}

// ValidChecksum reports whether the check digit is right.
func (c Container) ValidChecksum() bool { return validCheckDigit(string(c)) }
