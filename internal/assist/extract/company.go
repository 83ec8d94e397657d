package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// companies matches the ends of companies' names, in normalised words.
var companies = lazyregexp.New(`\b(ltd|limited|plc|llp|gmbh|ag|kg|ohg|gbr|sarl|sas|sa|srl|spa|snc|inc|corp|corporation|llc|co|company|bv|nv|bvba|ab|as|aps|oy|oyj|kft|sro|zoo|pvt|pte|sdn bhd|bhd|pty|lda|sl|slu|ltda|ltd sti|as|doo|ood|sia|uab|cv|trading|industries|exports?|imports?|group|holdings|international|sp z oo|kk)\b`)

// legalForm matches a legal form at the beginning of a text.
var legalForm = lazyregexp.New(`^(?:ltd|limited|plc|llp|gmbh|ag|kg|ohg|gbr|sarl|sas|sa|srl|spa|inc|corp|llc|co|bv|nv|ab|as|aps|oy|sl|ug|se|e\.? ?k|s\.?p\.?a|s\.?r\.?l|b\.?v)\b\.?`)

// isLegalForm reports whether a text consists of a legal form alone.
func isLegalForm(text string) bool {
	plain := strings.ReplaceAll(fold(text), ".", "")
	return plain != "" && legalForm.FindString(plain) == plain
}

// kilogramsOf matches what is no legal form behind a number: "9,400 kg".
var kilogramsOf = lazyregexp.New(`\d ?kg\b`)

func (r *reading) companyLike(text string) bool {
	return companies.MatchString(kilogramsOf.ReplaceAllString(strings.NewReplacer(".", "", "/", "").Replace(fold(text)), ""))
}
