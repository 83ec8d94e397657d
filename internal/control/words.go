package control

import (
	"strings"
	"unicode"
)

// maxWords is how much of a text is read.
const maxWords = 1000

// wordsOf are the words of a text in one form: small letters without accents,
// singular, British spelling, numbers apart from the letters beside them. Signs
// that nobody sees are left out, and letters of other scripts that stand in for
// Latin ones are put right.
func wordsOf(text string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 && len(all) < maxWords {
			all = append(all, normal(word))
		}
		word = word[:0]
	}
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := plain(runes[i])
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		case unicode.IsDigit(r):
			if len(word) > 0 && !unicode.IsDigit(word[len(word)-1]) {
				end()
			}
			word = append(word, r)
		case (r == '.' || r == ',') && len(word) > 0 && unicode.IsDigit(word[len(word)-1]) && i+1 < len(runes) && unicode.IsDigit(plain(runes[i+1])):
			if r == '.' {
				word = append(word, r)
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana): // written without spaces
			end()
			word = append(word, r)
			end()
		case unicode.IsLetter(r):
			if len(word) > 0 && unicode.IsDigit(word[len(word)-1]) {
				end()
			}
			word = append(word, unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return all
}

// plain is a letter or sign without its accent or its width.
func plain(r rune) rune {
	if r >= '！' && r <= '～' {
		r -= '！' - '!'
	}
	if r < 0x00c0 {
		return r
	}
	if to, ok := unaccented[r]; ok {
		return to
	}
	return r
}

var unaccented = runeMap("ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿŠšŽžĆćČčŁłŃńŚśŹźŻżĞğİıŞş",
	"AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyySsZzCcCcLlNnSsZzZzGgIiSs")

// lookalikes are small letters of other scripts that pass for Latin ones.
var lookalikes = runeMap("аесорхуікмтнвѕјԁοαενρτικυ", "aecopxyikmthbsjdoaevptiku")

func runeMap(from, to string) map[rune]rune {
	all, targets := map[rune]rune{}, []rune(to)
	for i, r := range []rune(from) {
		all[r] = targets[i]
	}
	return all
}

func normal(word []rune) string {
	latin, other := false, false
	for _, r := range word {
		latin = latin || r < unicode.MaxLatin1
		other = other || lookalikes[r] != 0
	}
	if latin && other {
		for i, r := range word {
			if to := lookalikes[r]; to != 0 {
				word[i] = to
			}
		}
	}
	return british(singular(string(word)))
}

// singular takes the endings of the plural off, alike from texts and from lists, so
// that it matters little what is left.
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

// spellings of America, and words that are one.
var spellings = map[string]string{
	"armor": "armour", "armored": "armoured", "fiber": "fibre", "center": "centre", "aluminum": "aluminium", "sulfur": "sulphur", "defense": "defence",
	"analyzer": "analyser", "sulfide": "sulphide", "sulfate": "sulphate", "mold": "mould", "meter": "metre", "liter": "litre", "micrometer": "micrometre",
	"caliber": "calibre", "gray": "grey", "jewelry": "jewellery", "pediatric": "paediatric", "program": "programme", "color": "colour", "analog": "analogue",
	"axe": "axis", "five": "5", "four": "4", "three": "3", "two": "2", "six": "6", "gyroscope": "gyro", "cipher": "encryption", "encrypted": "encrypted",
	"encrypting": "encryption", "aeroplane": "aircraft", "airplane": "aircraft", "torpedo": "torpedo", "mortars": "mortar", "uas": "uav", "rpas": "uav",
	"gun": "gun", "rifled": "rifled", "sub": "sub", "antitank": "anti tank",
}
