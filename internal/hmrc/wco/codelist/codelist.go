// Package codelist holds the code lists that the checks of a declaration need: codes only, each list with its source and
// day. A list that is dated or partial proves that a code exists, never that one does not.
package codelist

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

//go:embed lists/*.txt
var files embed.FS

// List is a set of codes.
type List struct {
	Name  string // in words, for messages
	AsOf  string // day (YYYY-MM-DD) of its newest part
	codes []string
}

// Has reports whether a code is in the list.
func (l *List) Has(code string) bool {
	_, found := slices.BinarySearch(l.codes, code)
	return found
}

// Len returns the number of codes.
func (l *List) Len() int { return len(l.codes) }

// All returns the codes in order. The caller must not change them.
func (l *List) All() []string { return l.codes }

// The lists. Each is read when it is first used.
var (
	Currencies = read("currencies", "the currencies of ISO 4217")
	Packages   = read("packages", "the kinds of packages of UN/ECE Recommendation 21")
	Dangerous  = read("dangerous", "the UN numbers of dangerous goods")
	Offices    = read("offices", "HMRC's lists of customs offices")
	Locations  = read("locations", "HMRC's lists of goods locations")
)

var (
	additional = parts("additional", "the additional procedure codes of exports")
	reasons    = parts("reasons", "the documents that need a reason")
)

// read returns a function for all parts of a file as one list.
func read(file, name string) func() *List {
	return sync.OnceValue(func() *List {
		whole := &List{Name: name}
		for _, part := range parse(file, name) {
			whole.AsOf = max(whole.AsOf, part.AsOf)
			whole.codes = append(whole.codes, part.codes...)
		}
		whole.sort()
		return whole
	})
}

func parts(file, name string) func() map[string]*List {
	return sync.OnceValue(func() map[string]*List { return parse(file, name) })
}

// parse reads the parts of a file, each below a line with its key and day. Every file is covered by a test.
func parse(file, name string) map[string]*List {
	text, err := files.ReadFile("lists/" + file + ".txt")
	if err != nil {
		panic("codelist: " + err.Error())
	}
	all := map[string]*List{}
	var current *List
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "=":
			current = &List{Name: name, AsOf: words[2]}
			all[words[1]] = current
		default:
			current.codes = append(current.codes, words...)
		}
	}
	for _, part := range all {
		part.sort()
	}
	return all
}

func (l *List) sort() {
	slices.Sort(l.codes)
	l.codes = slices.Compact(l.codes)
}

// Codes that customs uses beside those of ISO 3166: XI Northern Ireland, XK Kosovo, XS Serbia, XC and XL Ceuta and Melilla, EU
// the European Union, and the unspecified ones that begin with Q. The former ones are in HMRC's lists, but not in use.
const (
	customsCountries = "EU QP QQ QR QS QU QV QW QX QY QZ XC XI XK XL XS"
	formerCountries  = "AN CS NT TP UN ZB ZC ZD ZE ZF ZG ZH ZJ ZK ZL ZN ZS ZU"
)

// Country reports whether a code is a country of ISO 3166 or one that customs uses besides.
func Country(code string) bool {
	if _, err := ident.ParseCountry(code); err == nil {
		return true
	}
	return len(code) == 2 && slices.Contains(strings.Fields(customsCountries), code)
}

// FormerCountry reports whether HMRC's lists hold a code that is neither in ISO 3166 nor in use.
func FormerCountry(code string) bool {
	return len(code) == 2 && slices.Contains(strings.Fields(formerCountries), code)
}

// Additional returns the additional procedure codes (DE 1/11) that an export under a procedure (DE 1/10) can have. ok is
// false if the procedure is not in the list.
func Additional(procedure string) (l *List, ok bool) {
	l, ok = additional()[procedure]
	return l, ok
}

// ExportAdditional is every additional procedure code of exports with a full or simplified declaration.
var ExportAdditional = sync.OnceValue(func() *List {
	all := &List{Name: "the additional procedure codes of exports"}
	for procedure, part := range additional() {
		if !strings.HasPrefix(procedure, "00") {
			all.AsOf, all.codes = max(all.AsOf, part.AsOf), append(all.codes, part.codes...)
		}
	}
	all.sort()
	return all
})

// StatusNeedsReason reports whether a status of a document (DE 2/3) needs a reason.
func StatusNeedsReason(status string) bool { return reasons()["STATUSES"].Has(status) }
