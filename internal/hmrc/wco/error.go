package wco

import (
	"errors"
	"strconv"
)

// Errors of an element.
var (
	ErrUnknown   = errors.New("the schema has no such element here")
	ErrMisplaced = errors.New("the element is out of the schema's order, or repeated")
	ErrMissing   = errors.New("the schema wants a value")
	ErrInvalid   = errors.New("the value is not one the schema allows")
)

// ElementError is an invalid element of a declaration.
type ElementError struct {
	// Path runs from the top, with places from 1 where an element may repeat, as in
	// Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description.
	Path string
	// Line is that of the document that was read, or 0.
	Line int
	// Reason is one of this package's errors; Detail says more.
	Reason error
	Detail string
}

func (e *ElementError) Error() string {
	message := "wco: " + e.Path + ": " + e.Reason.Error()
	if e.Detail != "" {
		message += ": " + e.Detail
	}
	if e.Line > 0 {
		message += " (line " + strconv.Itoa(e.Line) + ")"
	}
	return message
}

// Unwrap returns the reason.
func (e *ElementError) Unwrap() error { return e.Reason }

// within prepends the parent element to the path.
func within(err error, name string, place int) error {
	var fault *ElementError
	if errors.As(err, &fault) {
		fault.Path = step(name, place) + "/" + fault.Path
	}
	return err
}

// step is one element of a path; a negative position means that the element cannot repeat.
func step(name string, place int) string {
	if place < 0 {
		return name
	}
	return name + "[" + strconv.Itoa(place+1) + "]"
}
