package classify

import "strings"

// minStemmed is the length from which endings are removed from a word.
const minStemmed = 4

// stem returns what the forms of a word have in common: singular and plural, the endings
// of a verb, British and American spelling. The result need not be a word.
func stem(word string) string {
	if root, ok := irregular[word]; ok {
		return root
	}
	if len(word) < minStemmed {
		return word
	}
	return spelling(root(singular(word)))
}

func singular(w string) string {
	for _, ending := range []string{"sses", "ches", "shes", "xes", "zes"} {
		if strings.HasSuffix(w, ending) {
			return w[:len(w)-2]
		}
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "oes") && len(w) > 4:
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// root removes the endings of a verb, and a doubled letter before them: knitted, knitting.
func root(w string) string {
	for _, ending := range []string{"ing", "ed"} {
		r, ok := strings.CutSuffix(w, ending)
		if !ok || len(r) < 3 || !strings.ContainsAny(r, "aeiouy") {
			continue
		}
		if n := len(r); r[n-1] == r[n-2] && !strings.ContainsRune("lsz", rune(r[n-1])) {
			return r[:n-1]
		}
		return strings.TrimSuffix(r, "e")
	}
	return strings.TrimSuffix(w, "e")
}

// spelling returns one spelling for the British and the American form of a root.
func spelling(w string) string {
	if other, ok := spellings[w]; ok {
		return other
	}
	for _, s := range [][2]string{{"our", "or"}, {"isation", "ization"}, {"is", "iz"}, {"yz", "ys"}, {"ogu", "og"}} {
		if root, ok := strings.CutSuffix(w, s[0]); ok && len(root) >= 3 {
			return root + s[1]
		}
	}
	return w
}

// irregular are stems of words whose forms follow no rule.
var irregular = map[string]string{
	"men": "man", "mens": "man", "women": "woman", "womens": "woman", "children": "child", "childrens": "child", "feet": "foot",
	"teeth": "tooth", "geese": "goos", "mice": "mous", "leaves": "leaf", "knives": "knif", "shelves": "shelf", "halves": "half",
	"scarves": "scarf", "loaves": "loaf", "calves": "calf", "wolves": "wolf", "gases": "gas",
}

// spellings are American roots by British ones, where no rule connects them.
var spellings = map[string]string{
	"aluminium": "aluminum", "tyr": "tir", "gray": "grey", "jewellery": "jewelry", "fibr": "fiber", "centr": "center", "litr": "liter",
	"metr": "meter", "theatr": "theater", "pyjama": "pajama", "sulphur": "sulfur", "sulphat": "sulfat", "sulphit": "sulfit",
	"sulphid": "sulfid", "sulphuric": "sulfuric", "mould": "mold", "plough": "plow", "woollen": "woolen", "doughnut": "donut",
	"moustach": "mustach", "yoghurt": "yogurt", "yoghourt": "yogurt", "chequ": "check", "programm": "program", "caesium": "cesium",
	"oestrogen": "estrogen", "anaesthetic": "anesthetic", "haemoglobin": "hemoglobin", "paediatric": "pediatric",
	"orthopaedic": "orthopedic", "draught": "draft", "kerb": "curb", "licenc": "licens", "defenc": "defens", "panell": "panel",
	"labell": "label", "enamell": "enamel", "travell": "travel",
}
