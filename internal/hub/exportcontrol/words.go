package exportcontrol

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords is the maximum number of words that are read.
const maxWords = 1000

// wordsOf returns the normalised words of a text: lower case without accents, singular, British spelling, numbers separated
// from letters. Invisible characters are removed, and lookalike letters of other scripts become Latin ones.
func wordsOf(text string) []string { return read(text).all }

// read returns the words of a text and where its clauses end.
func read(text string) reader {
	r := reader{all: make([]string, 0, min(maxWords, len(text)/5+1))}
	for i, c := range text {
		if len(r.all) == maxWords {
			break
		}
		switch {
		case c < utf8.RuneSelf:
			r.ascii(byte(c), text[i+1:]) // #nosec G115 -- ASCII
		case unspaced(c):
			r.end()
			r.add(text[i : i+utf8.RuneLen(c)])
		default:
			r.foreign(unaccentedForm(c))
		}
	}
	r.end()
	return r
}

// reader collects words letter by letter.
type reader struct {
	all           []string
	ends          []int // numbers of words before which a clause has ended
	cuts          []int // the same, and those before which a comma stands
	heading       int   // the number of words before a colon, if they may be a heading
	plurals       []int // numbers of words that stood in the plural
	word          []byte
	number, mixed bool // whether the current word is a number, and has letters outside ASCII
}

func (r *reader) end() {
	if len(r.word) > 0 {
		w := string(r.word)
		if r.mixed {
			w = latin(w)
		}
		one := singular(w)
		if one != w {
			r.plurals = append(r.plurals, len(r.all))
		}
		r.add(british(one))
	}
	r.word, r.number, r.mixed = r.word[:0], false, false
}

func (r *reader) add(word string) {
	if len(r.all) < maxWords {
		r.all = append(r.all, word)
	}
}

func (r *reader) ascii(c byte, rest string) {
	switch {
	case c >= '0' && c <= '9':
		if len(r.word) > 0 && !r.number {
			r.end()
		}
		r.number = true
		r.word = append(r.word, c)
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		if r.number {
			r.end()
		}
		r.word = append(r.word, c|0x20)
	case c == '\'':
	case (c == '.' || c == ',') && r.number && rest != "" && rest[0] >= '0' && rest[0] <= '9':
		if c == '.' {
			r.word = append(r.word, c)
		}
	default:
		r.end()
		if c == ';' || c == '\n' || c == '.' && r.endsSentence(rest) {
			r.ends, r.cuts = append(r.ends, len(r.all)), append(r.cuts, len(r.all))
		}
		if c == ':' && r.heading == 0 && len(r.all) <= longestHeading {
			r.heading = len(r.all)
		}
		if c == ',' {
			r.cuts = append(r.cuts, len(r.all))
		}
	}
}

// longestAbbreviation is the number of letters of a word behind which a point may not end a sentence, such as “No.”.
const longestAbbreviation = 3

// endsSentence reports whether a point ends a sentence: behind a word that is no abbreviation, before a capital.
func (r *reader) endsSentence(rest string) bool {
	n := len(r.all)
	if n == 0 || len(rest) < 2 || rest[0] != ' ' || rest[1] < 'A' || rest[1] > 'Z' {
		return false
	}
	last := r.all[n-1]
	return len(last) > longestAbbreviation || last[0] >= '0' && last[0] <= '9'
}

func (r *reader) foreign(c rune) {
	switch {
	case c < utf8.RuneSelf:
		r.ascii(byte(c), "") // #nosec G115 -- ASCII
	case c == '’' || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Mn, c):
	case unicode.IsLetter(c):
		if r.number {
			r.end()
		}
		r.mixed = true
		r.word = utf8.AppendRune(r.word, unicode.ToLower(c))
	default:
		r.end()
	}
}

// firstUnspaced is the first character of the scripts in unspaced.
const firstUnspaced = 0x2e80

// unspaced reports whether a character counts as a word because its script has no spaces.
func unspaced(c rune) bool {
	return c >= firstUnspaced && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// unaccentedForm returns a character without its accent and its full or half width.
func unaccentedForm(r rune) rune {
	if r >= '！' && r <= '～' {
		r -= '！' - '!'
	}
	if r < firstAccented || r > lastAccented {
		return r
	}
	if to, ok := unaccented[r]; ok {
		return to
	}
	return r
}

const firstAccented, lastAccented = 'À', 'ž'

var unaccented = runeMap("ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿŠšŽžĆćČčŁłŃńŚśŹźŻżĞğİıŞş",
	"AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyySsZzCcCcLlNnSsZzZzGgIiSs")

// lookalikes maps lower-case letters of other scripts that look like Latin ones.
var lookalikes = runeMap("аесорхуікмтнвѕјԁοαενρτικυ", "aecopxyikmthbsjdoaevptiku")

func runeMap(from, to string) map[rune]rune {
	all, targets := map[rune]rune{}, []rune(to)
	for i, r := range []rune(from) {
		all[r] = targets[i]
	}
	return all
}

// latin replaces lookalike letters in a word that also has Latin letters.
func latin(word string) string {
	if strings.IndexFunc(word, func(r rune) bool { return r < utf8.RuneSelf }) < 0 {
		return word
	}
	return strings.Map(func(r rune) rune { return cmp.Or(lookalikes[r], r) }, word)
}

// singular removes plural endings from words of texts and lists alike, so the exact result does not matter.
func singular(w string) string {
	switch {
	case len(w) < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "oes"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

func british(w string) string {
	if to, ok := spellings[w]; ok {
		return to
	}
	return w
}

// spellings maps American spellings and variants of words.
var spellings = map[string]string{
	"armor": "armour", "armored": "armoured", "fiber": "fibre", "center": "centre", "aluminum": "aluminium", "sulfur": "sulphur", "defense": "defence",
	"analyzer": "analyser", "sulfide": "sulphide", "sulfate": "sulphate", "mold": "mould", "meter": "metre", "liter": "litre", "micrometer": "micrometre",
	"caliber": "calibre", "gray": "grey", "jewelry": "jewellery", "pediatric": "paediatric", "program": "programme", "color": "colour", "analog": "analogue",
	"axe": "axis", "five": "5", "four": "4", "three": "3", "two": "2", "six": "6", "gyroscope": "gyro", "cipher": "encryption", "encrypted": "encrypted",
	"encrypting": "encryption", "aeroplane": "aircraft", "airplane": "aircraft", "torpedo": "torpedo", "mortars": "mortar", "uas": "uav", "rpas": "uav",
	"buse": "bus", "gun": "gun", "rifled": "rifled", "sub": "sub", "antitank": "anti tank",
}
