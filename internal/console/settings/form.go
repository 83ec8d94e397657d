package settings

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// textOf returns the parser with its result converted to a string.
func textOf[T ~string](parse func(string) (T, error)) func(string) (string, error) {
	return func(text string) (string, error) {
		parsed, err := parse(text)
		return string(parsed), err
	}
}

func tooLong(field string, longest int) apierr.Detail {
	return apierr.Detail{Field: field, Message: fmt.Sprintf("must have at most %d characters", longest)}
}

func isDigits(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "0123456789") == ""
}
