// Package cdscode explains the error codes of the Customs Declaration Service in plain English: what each means for a
// trader and what to do.
package cdscode

import (
	_ "embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed"
)

//go:embed catalogue.txt.gz
var packedCatalogue []byte

// catalogue returns the entries in the order of the file, and by code. They are read at their first use and do not change.
var catalogue = sync.OnceValues(func() ([]Entry, map[string]Entry) { return mustRead(packed.Text(packedCatalogue)) })

// Entry explains one code.
type Entry struct {
	Code     string
	Title    string // a few words
	Meaning  string // what is wrong, in one to three sentences
	Fix      string // what to do about it
	Blocking bool   // false for a credibility warning, which the declaration survives
	Known    bool   // false where only a general answer can be given
}

// All returns the entries of the catalogue, in the order of their codes.
func All() iter.Seq[Entry] {
	list, _ := catalogue()
	return slices.Values(list)
}

// Explain never fails: for a code that is not in the catalogue, it returns what is common to its family, and the text
// says so. Messages of 2018 have the prefix DMS instead of CDS.
func Explain(code string) Entry {
	code = strings.ToUpper(strings.TrimSpace(code))
	_, byCode := catalogue()
	if e, found := byCode[code]; found {
		return e
	}
	if number, old := strings.CutPrefix(code, "DMS"); old {
		if e, found := byCode["CDS"+number]; found {
			e.Code = code
			return e
		}
	}
	return general(code)
}

const warning = "(warning) "

// mustRead parses catalogue.txt; an error in it is a bug.
func mustRead(text string) ([]Entry, map[string]Entry) {
	var entries []Entry
	byCode := map[string]Entry{}
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		e := mustReadEntry(block)
		if _, twice := byCode[e.Code]; twice {
			panic("cdscode: catalogue.txt: twice " + e.Code)
		}
		entries = append(entries, e)
		byCode[e.Code] = e
	}
	return entries, byCode
}

func mustReadEntry(block string) Entry {
	lines := strings.Split(block, "\n")
	if len(lines) != 3 {
		panic(fmt.Sprintf("cdscode: catalogue.txt: not three lines: %q", block))
	}
	code, title, _ := strings.Cut(lines[0], " ")
	title, harmless := strings.CutPrefix(title, warning)
	return Entry{Code: code, Title: title, Meaning: lines[1], Fix: lines[2], Blocking: !harmless, Known: true}
}
