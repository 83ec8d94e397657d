package schema_test

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// most is the largest number of repetitions of an unbounded part of a pattern.
const most = 4

// matching is a text that matches a pattern.
func matching(r *rand.Rand, pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var out strings.Builder
	match(r, parsed.Simplify(), &out)
	return out.String()
}

func match(r *rand.Rand, re *syntax.Regexp, out *strings.Builder) {
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		pair := r.IntN(len(re.Rune)/2) * 2
		out.WriteRune(re.Rune[pair] + r.Int32N(re.Rune[pair+1]-re.Rune[pair]+1))
	case syntax.OpConcat, syntax.OpCapture:
		for _, part := range re.Sub {
			match(r, part, out)
		}
	case syntax.OpAlternate:
		match(r, re.Sub[r.IntN(len(re.Sub))], out)
	case syntax.OpQuest:
		if r.IntN(2) == 0 {
			match(r, re.Sub[0], out)
		}
	case syntax.OpStar, syntax.OpPlus:
		least := 0
		if re.Op == syntax.OpPlus {
			least = 1
		}
		for range least + r.IntN(most) {
			match(r, re.Sub[0], out)
		}
	}
}
