package settings

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// plain makes a parser of an identifier give its text.
func plain[T ~string](parse func(string) (T, error)) func(string) (string, error) {
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
