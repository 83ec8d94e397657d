package wco

import (
	"errors"
	"strconv"
)

// What can be wrong with an element.
var (
	ErrUnknown   = errors.New("the schema has no such element here")
	ErrMisplaced = errors.New("the element is out of the schema's order, or repeated")
	ErrMissing   = errors.New("the schema wants a value")
	ErrInvalid   = errors.New("the value is not one the schema allows")
)

// ElementError names the element that a declaration cannot have as it is.
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

// Unwrap is the reason.
func (e *ElementError) Unwrap() error { return e.Reason }

// within puts the element that holds the faulty one in front of the path.
func within(err error, name string, place int) error {
	var fault *ElementError
	if errors.As(err, &fault) {
		fault.Path = step(name, place) + "/" + fault.Path
	}
	return err
}

// step is one element of a path; a place below nought is that of one that cannot repeat.
func step(name string, place int) string {
	if place < 0 {
		return name
	}
	return name + "[" + strconv.Itoa(place+1) + "]"
}
