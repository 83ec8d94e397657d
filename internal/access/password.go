package access

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access/password"
	"github.com/tidewaiter/tidewaiter/internal/access/strength"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of a password, which has at most password.MaxLength characters: short ones can be guessed.
const (
	minPasswordLength = 12 // characters
	minPasswordScore  = 3  // zxcvbn score from 0 to 4; 3 resists 10^10 guesses
)

// checkPassword returns what is wrong with a new password. words are easy to guess for someone who
// knows the user, such as the address and the names of user and organisation.
func checkPassword(field, chosen string, words ...string) []apierr.Detail {
	n := utf8.RuneCountInString(chosen)
	switch {
	case n < minPasswordLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at least %d characters", minPasswordLength)}}
	case n > password.MaxLength:
		return []apierr.Detail{{Field: field, Message: fmt.Sprintf("must have at most %d characters", password.MaxLength)}}
	case strength.Score(chosen, guessableWords(words)) < minPasswordScore:
		return []apierr.Detail{{Field: field, Message: "is easy to guess. Use several unrelated words"}}
	}
	return nil
}

// guessableWords returns the words, their parts, and the name of the service.
func guessableWords(words []string) (all []string) {
	for _, w := range append([]string{"tidewaiter"}, words...) {
		all = append(all, w)
		all = append(all, strings.FieldsFunc(w, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })...)
	}
	return all
}
