package safexml

import (
	"errors"
	"fmt"
)

// Reasons to refuse a document. Only ErrContent concerns a well-formed document.
var (
	ErrSyntax   = errors.New("not well-formed")
	ErrDoctype  = errors.New("document type declarations are not allowed")
	ErrEncoding = errors.New("encoding is not supported")
	ErrTooLarge = errors.New("document too large")
	ErrTooDeep  = errors.New("limit of depth, attributes or namespaces exceeded")
	ErrContent  = errors.New("element has content that is not allowed")
)

// Error says where and why a document is refused; errors.Is finds the reason.
type Error struct {
	Line   int
	Reason error
	Detail string
}

func (e *Error) Error() string { return "safexml: " + e.Fault() }

// Fault is the error for the person who sent the document.
func (e *Error) Fault() string { return fmt.Sprintf("line %d: %s", e.Line, e.Detail) }

// Unwrap is one of the reasons of this package.
func (e *Error) Unwrap() error { return e.Reason }

func (r *Reader) fail(reason error, format string, args ...any) error {
	return &Error{Line: r.Line(), Reason: reason, Detail: fmt.Sprintf(format, args...)}
}
