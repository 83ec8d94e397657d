package pdf

import (
	"strconv"
	"strings"
)

// glyphNames are the characters of glyph names other than letters and digits.
var glyphNames = map[string]rune{
	"space": ' ', "exclam": '!', "quotedbl": '"', "numbersign": '#', "dollar": '$', "percent": '%',
	"ampersand": '&', "quotesingle": '\'', "parenleft": '(', "parenright": ')', "asterisk": '*', "plus": '+',
	"comma": ',', "hyphen": '-', "period": '.', "slash": '/', "zero": '0', "one": '1',
	"two": '2', "three": '3', "four": '4', "five": '5', "six": '6', "seven": '7',
	"eight": '8', "nine": '9', "colon": ':', "semicolon": ';', "less": '<', "equal": '=',
	"greater": '>', "question": '?', "at": '@', "bracketleft": '[', "backslash": '\\', "bracketright": ']',
	"asciicircum": '^', "underscore": '_', "grave": '`', "braceleft": '{', "bar": '|', "braceright": '}',
	"asciitilde": '~', "Agrave": 'À', "Aacute": 'Á', "Acircumflex": 'Â', "Atilde": 'Ã', "Adieresis": 'Ä',
	"Aring": 'Å', "agrave": 'à', "aacute": 'á', "acircumflex": 'â', "atilde": 'ã', "adieresis": 'ä',
	"aring": 'å', "aogonek": 'ą', "Aogonek": 'Ą', "Ccedilla": 'Ç', "Cacute": 'Ć', "Ccaron": 'Č',
	"ccedilla": 'ç', "cacute": 'ć', "ccaron": 'č', "Egrave": 'È', "Eacute": 'É', "Ecircumflex": 'Ê',
	"Edieresis": 'Ë', "Eogonek": 'Ę', "Ecaron": 'Ě', "egrave": 'è', "eacute": 'é', "ecircumflex": 'ê',
	"edieresis": 'ë', "eogonek": 'ę', "ecaron": 'ě', "Igrave": 'Ì', "Iacute": 'Í', "Icircumflex": 'Î',
	"Idieresis": 'Ï', "igrave": 'ì', "iacute": 'í', "icircumflex": 'î', "idieresis": 'ï', "Ntilde": 'Ñ',
	"Nacute": 'Ń', "ntilde": 'ñ', "nacute": 'ń', "Ograve": 'Ò', "Oacute": 'Ó', "Ocircumflex": 'Ô',
	"Otilde": 'Õ', "Odieresis": 'Ö', "Oslash": 'Ø', "Ohungarumlaut": 'Ő', "ograve": 'ò', "oacute": 'ó',
	"ocircumflex": 'ô', "otilde": 'õ', "odieresis": 'ö', "oslash": 'ø', "ohungarumlaut": 'ő', "Ugrave": 'Ù',
	"Uacute": 'Ú', "Ucircumflex": 'Û', "Udieresis": 'Ü', "Uring": 'Ů', "Uhungarumlaut": 'Ű', "ugrave": 'ù',
	"uacute": 'ú', "ucircumflex": 'û', "udieresis": 'ü', "uring": 'ů', "uhungarumlaut": 'ű', "Yacute": 'Ý',
	"yacute": 'ý', "ydieresis": 'ÿ', "Scaron": 'Š', "Sacute": 'Ś', "scaron": 'š', "sacute": 'ś',
	"Zcaron": 'Ž', "Zacute": 'Ź', "Zdotaccent": 'Ż', "zcaron": 'ž', "zacute": 'ź', "zdotaccent": 'ż',
	"Rcaron": 'Ř', "rcaron": 'ř', "Dcaron": 'Ď', "dcaron": 'ď', "Tcaron": 'Ť', "tcaron": 'ť',
	"Lslash": 'Ł', "lslash": 'ł', "Euro": '€', "sterling": '£', "yen": '¥', "cent": '¢',
	"section": '§', "copyright": '©', "registered": '®', "trademark": '™', "degree": '°', "plusminus": '±',
	"mu": 'µ', "germandbls": 'ß', "AE": 'Æ', "ae": 'æ', "OE": 'Œ', "oe": 'œ',
	"endash": '–', "emdash": '—', "quoteleft": '‘', "quoteright": '’', "quotedblleft": '“', "quotedblright": '”',
	"quotesinglbase": '‚', "quotedblbase": '„', "guillemotleft": '«', "guillemotright": '»', "bullet": '•', "ellipsis": '…',
	"periodcentered": '·', "multiply": '×', "divide": '÷', "onesuperior": '¹', "twosuperior": '²', "threesuperior": '³',
	"ordmasculine": 'º', "ordfeminine": 'ª', "nbspace": ' ', "sfthyphen": '-', "minus": '-', "dotlessi": 'ı',
}

// glyph is the character that a glyph's name stands for, or 0.
func glyph(name string) rune {
	name, _, _ = strings.Cut(name, ".")
	if r, ok := glyphNames[name]; ok {
		return r
	}
	if len(name) == 1 {
		return rune(name[0])
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(name, prefix); ok && len(digits) >= 4 && len(digits) <= 6 {
			if n, err := strconv.ParseUint(digits, 16, 32); err == nil {
				return rune(n) // #nosec G115 -- six hexadecimal digits
			}
		}
	}
	return 0
}
