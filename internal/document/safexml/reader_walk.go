package safexml

import (
	"errors"
	"io"
	"strings"
)

// Child enters the next child of the current element. At the end of that element it leaves it
// and returns false. Text between children may only be white space. The first call enters the
// root.
func (r *Reader) Child() (Token, bool, error) {
	for {
		token, err := r.Next()
		switch {
		case err != nil:
			return Token{}, false, err
		case token.Kind != Text:
			return token, token.Kind == Start, nil
		case !blank(token.Text):
			return Token{}, false, r.reject("text between elements")
		}
	}
}

// Text returns the text of the element just entered and leaves the element, which may contain
// no other.
func (r *Reader) Text() (string, error) {
	var first string
	var joined strings.Builder
	for {
		token, err := r.Next()
		switch {
		case err != nil:
			return "", err
		case token.Kind == Start:
			return "", r.reject("<" + token.Name.Local + "> where only text belongs")
		case token.Kind == End && joined.Len() > 0:
			return joined.String(), nil
		case token.Kind == End:
			return first, nil
		case first == "":
			first = token.Text
		default:
			if joined.Len() == 0 {
				joined.WriteString(first)
			}
			joined.WriteString(token.Text)
		}
	}
}

// Skip leaves the element just entered. Its content must be well-formed.
func (r *Reader) Skip() error {
	outside := len(r.open) - 1
	for len(r.open) > outside {
		if _, err := r.Next(); err != nil {
			return err
		}
	}
	return nil
}

// Finish reads the rest after the root, which may only be comments, instructions and white
// space.
func (r *Reader) Finish() error {
	_, err := r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return r.reject("unexpected content after the last element")
	}
}

func (r *Reader) reject(what string) error {
	r.err = r.fail(ErrContent, "%s", what)
	return r.err
}

func blank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }
