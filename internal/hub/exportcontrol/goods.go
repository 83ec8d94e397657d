package exportcontrol

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of one description.
const (
	maxGoods      = 20 // goods that are judged each by itself
	maxSeparators = 60 // commas of a clause at which it may be cut
)

// goodsOf returns the goods that a description lists, or nil if it describes one thing. Goods are parted by semicolons, lines,
// sentences and numbers of a list, and by commas and “and” if what follows is a thing of its own: it begins with a count or its noun
// is a plural. “Toy rifle, plastic” is one thing.
func goodsOf(text string) (all []string) {
	clauses := clausesOf(text)
	heading := len(clauses) > 1 && isHeading(clauses[0])
	for i, clause := range clauses {
		if i > 0 && heading && isSoft(clause) {
			continue // “Toys; plastic machine guns”
		}
		all = append(all, things(clause)...)
		if len(all) >= maxGoods {
			break
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// isHeading reports whether a short first clause names imitations, as in “No. 12, toy; …”.
func isHeading(clause string) bool {
	r := read(clause)
	return len(r.all) <= longestHeading && known().imitates(r)
}

// imitates reports whether a text has a word for imitations.
func (l *cueIndex) imitates(r reader) bool {
	_, ok := l.phrases.find(r).any(l.words[imitation])
	return ok
}

// softMaterial are materials of imitations, and seldom of arms.
var softMaterial = wordSet("plastic wood wooden rubber foam paper cardboard inflatable chocolate marzipan sugar plush felt wax")

func isSoft(clause string) bool {
	return slices.ContainsFunc(wordsOf(clause), func(w string) bool { return softMaterial[w] })
}

// clausesOf cuts a text where one thing ends for certain.
func clausesOf(text string) (all []string) {
	from, number := 0, 0
	cut := func(to, next int) {
		if s := strings.TrimSpace(text[from:to]); s != "" {
			all = append(all, s)
		}
		from = next
	}
	for i := 0; i < len(text); i++ {
		if i < from {
			continue
		}
		rest := text[i:]
		switch c := text[i]; {
		case c == ';' || c == '\n' || c == '|':
			cut(i, i+1)
		case strings.HasPrefix(rest, "•"):
			cut(i, i+len("•"))
		case strings.HasPrefix(rest, " + "), strings.HasPrefix(rest, " / "):
			cut(i, i+3)
		case strings.HasPrefix(rest, ". ") && i+2 < len(text) && unicode.IsUpper(rune(text[i+2])) && lastWordLength(text[from:i]) > longestAbbreviation:
			cut(i, i+2)
		default:
			if n := listNumber(text, i, number+1); n > 0 {
				number++
				cut(i, i+n)
			}
		}
	}
	cut(len(text), len(text))
	return all
}

func lastWordLength(text string) int {
	return len(text) - 1 - strings.LastIndexAny(text, " ,.")
}

// listNumber returns the length of “2)” or “(2)” at a place, if it is the next number of a list.
func listNumber(text string, at, number int) int {
	if at > 0 && text[at-1] != ' ' && text[at-1] != ',' || number > maxGoods {
		return 0
	}
	rest := strings.TrimPrefix(text[at:], "(")
	digits := rest[:min(len(rest), len(rest)-len(strings.TrimLeft(rest, "0123456789")))]
	if len(digits) == 0 || len(digits) > 2 || !strings.HasPrefix(rest[len(digits):], ")") {
		return 0
	}
	if n := int(digits[0] - '0'); len(digits) == 1 && n == number || len(digits) == 2 && n*10+int(digits[1]-'0') == number {
		return len(text[at:]) - len(rest) + len(digits) + 1
	}
	return 0
}

// things cuts a clause at commas and “and” before things of their own. After “books about” and “toys:” it is one thing.
func things(clause string) (all []string) {
	head, rest, listed := strings.Cut(clause, ":")
	if listed && !strings.Contains(head, ",") {
		if known().imitates(read(head)) {
			return []string{clause}
		}
		clause = rest
	}
	from, places := 0, commas(clause)
	places = places[:min(len(places), maxSeparators)]
	for i, at := range places {
		before, after := clause[from:at.from], clause[at.to:]
		if i+1 < len(places) {
			after = clause[at.to:max(at.to, places[i+1].from)]
		}
		if governed(before) {
			break
		}
		if own(after) && (at.comma || len(all) > 0) && !known().decoy(clause[from:at.to]+after) {
			all = append(all, strings.TrimSpace(before))
			from = at.to
		}
	}
	return append(all, strings.TrimSpace(clause[from:]))
}

// separator is a place between things.
type separator struct {
	from, to int
	comma    bool
}

// commas returns the commas of a text that stand in no number, and its “and”.
func commas(text string) (all []separator) {
	for i := range len(text) {
		switch rest := text[i:]; {
		case text[i] == ',' && !(i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])):
			to := i + 1
			if strings.HasPrefix(text[to:], " and ") {
				to += len(" and ")
			}
			all = append(all, separator{i, to, true})
		case strings.HasPrefix(rest, " and "), strings.HasPrefix(rest, " & "):
			if len(all) > 0 && all[len(all)-1].to > i {
				continue
			}
			all = append(all, separator{i, i + strings.IndexByte(rest[1:], ' ') + 2, false})
		}
	}
	return all
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// governing are words after which a list belongs to an imitation before them: “models of tanks, ships and aircraft”.
var governing = wordSet("of about showing depicting featuring")

// governs reports whether a word begins a list that belongs to an imitation before it. “Toys of plastic” says what they are made of.
func governs(words []string, at int) bool {
	return at < len(words) && governing[words[at]] && !(at+1 < len(words) && softMaterial[words[at+1]])
}

// governed reports whether an imitation governs what follows a text: “books about tanks”, before “, guns”.
func governed(before string) bool {
	r := read(before)
	for i := range r.all {
		if governs(r.all, i) {
			return known().imitates(r)
		}
	}
	return false
}

// Words at which the name of a thing ends: what follows says what it is made of, for, or which one.
var naming = wordSet("of with for in from made to by on generation type model grade class size")

// own reports whether a text after a comma is a thing of its own: it begins with a count, or its noun is a plural.
func own(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\'' })
	if len(words) > 1 && isDigit(words[0][0]) {
		return len(words[1]) > longestAbbreviation
	}
	for i, w := range words {
		if i > 0 && (naming[strings.ToLower(w)] || isDigit(w[0])) {
			words = words[:i]
			break
		}
	}
	return len(words) > 0 && singular(strings.ToLower(words[len(words)-1])) != strings.ToLower(words[len(words)-1])
}

// decoy reports whether a text is a name in which words of the lists are harmless: “mortar and pestle”.
func (l *cueIndex) decoy(text string) bool {
	r := read(text)
	for i, w := range r.all {
		at := l.phrases.root.next[w]
		for to := i; at != nil; to++ {
			if at.decoy && slices.Contains(r.all[i:to+1], "and") {
				return true
			}
			if to+1 == len(r.all) {
				break
			}
			at = at.next[r.all[to+1]]
		}
	}
	return false
}
