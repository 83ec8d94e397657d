package classify

import "strings"

// shortest is the length from which a word has endings that can be taken off.
const shortest = 4

// stem reduces a word to what its forms have in common: the number of a noun, the
// endings of a verb, and the British and American spelling. It need not be a word.
func stem(word string) string {
	if root, ok := irregular[word]; ok {
		return root
	}
	if len(word) < shortest {
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

// root takes the endings of a verb off, and with them a doubled letter: knitted, knitting.
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

// spelling writes both spellings of a root alike.
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

// irregular are words whose forms follow no rule.
var irregular = map[string]string{
	"men": "man", "mens": "man", "women": "woman", "womens": "woman", "children": "child", "childrens": "child", "feet": "foot",
	"teeth": "tooth", "geese": "goos", "mice": "mous", "leaves": "leaf", "knives": "knif", "shelves": "shelf", "halves": "half",
	"scarves": "scarf", "loaves": "loaf", "calves": "calf", "wolves": "wolf", "gases": "gas",
}

// spellings are roots whose two spellings follow no rule.
var spellings = map[string]string{
	"aluminium": "aluminum", "tyr": "tir", "gray": "grey", "jewellery": "jewelry", "fibr": "fiber", "centr": "center", "litr": "liter",
	"metr": "meter", "theatr": "theater", "pyjama": "pajama", "sulphur": "sulfur", "sulphat": "sulfat", "sulphit": "sulfit",
	"sulphid": "sulfid", "sulphuric": "sulfuric", "mould": "mold", "plough": "plow", "woollen": "woolen", "doughnut": "donut",
	"moustach": "mustach", "yoghurt": "yogurt", "yoghourt": "yogurt", "chequ": "check", "programm": "program", "caesium": "cesium",
	"oestrogen": "estrogen", "anaesthetic": "anesthetic", "haemoglobin": "hemoglobin", "paediatric": "pediatric",
	"orthopaedic": "orthopedic", "draught": "draft", "kerb": "curb", "licenc": "licens", "defenc": "defens", "panell": "panel",
	"labell": "label", "enamell": "enamel", "travell": "travel",
}
