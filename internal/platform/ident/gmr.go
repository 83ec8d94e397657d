package ident

// GMR is the id of a goods movement record, which the driver shows at the port.
type GMR string

var gmrShape = newShape(`GMR[A-Z][0-9A-Z]{8}`, "must be GMR, a letter and 8 letters or digits")

// ParseGMR reads a GMR id.
func ParseGMR(text string) (GMR, error) {
	s, err := gmrShape.parse(text)
	return GMR(s), err
}

// GMR returns the id of a new goods movement record.
func (s *Source) GMR() string { return "GMRA" + s.Text(alphanumeric, 8) }
