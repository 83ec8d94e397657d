package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// rate matches a rate of tax before the word for it, such as "19 % " or "of which 10 % ".
var rate = lazyregexp.New(`^(?:\pL[\pL ]{2,20} )?\d{1,2}(?:[.,]\d{1,2})? ?% ?`)

// afterRate returns the words behind a rate of tax at the beginning of a text; nil if there is none.
func afterRate(text string, words []word) []word {
	if !strings.Contains(text, "%") {
		return nil
	}
	end := len(rate.FindString(text))
	at := slices.IndexFunc(words, func(w word) bool { return w.start >= end })
	if end == 0 || at < 0 {
		return nil
	}
	return words[at:]
}
