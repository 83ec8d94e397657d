package explain

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/platform/packed"
)

//go:embed codes.txt.gz
var packedCodes []byte

//go:embed fields.txt.gz
var packedFields []byte

// codes and places return the contents of the two files, which are read at their first use and never change.
var (
	codes  = sync.OnceValue(func() map[string]*code { return mustReadCodes(packed.Text(packedCodes)) })
	places = sync.OnceValue(func() map[string]*field { return mustReadPlaces(packed.Text(packedFields)) })
)

// aspect is which sentence about the field belongs to an error.
type aspect string

const (
	missing    aspect = "missing" // what it is and where it is found
	format     aspect = "form"    // how it is written
	list       aspect = "list"    // where the permitted entries are
	definition aspect = "is"      // what it is
	noAspect   aspect = "-"
)

// code is the texts for one error code.
type code struct {
	remedy     Remedy
	aspect     aspect
	plain, fix string
	one        string // plain and fix if CDS names one place instead of two
	oneFix     string
	documents  []string
	at         map[string]string // texts for certain places instead
}

// field is the texts for one place of a declaration.
type field struct {
	name                            string
	definition, format, where, list string
	documents                       []string
}

// mustReadCodes reads codes.txt; it panics on an error, as the file is part of the program.
func mustReadCodes(text string) map[string]*code {
	all := map[string]*code{}
	for lines := range blocks(text) {
		head := strings.Fields(lines[0])
		if len(head) != 3 || len(lines) < 3 || all[head[0]] != nil || !cdscode.Explain(head[0]).Known {
			panic(fmt.Sprintf("explain: codes.txt: %q", lines))
		}
		c := &code{remedy: mustRemedy(head[1]), aspect: aspect(head[2]), plain: lines[1], fix: lines[2], at: map[string]string{}}
		for _, line := range lines[3:] {
			c.mustRead(line)
		}
		all[head[0]] = c
	}
	return all
}

func (c *code) mustRead(line string) {
	if at, found := strings.CutPrefix(line, "@"); found {
		place, text, _ := strings.Cut(at, " ")
		c.at[place] = text
		return
	}
	name, text, _ := strings.Cut(line, ": ")
	switch name {
	case "one":
		c.one = text
	case "one-fix":
		c.oneFix = text
	case "papers":
		c.documents = strings.Split(text, "; ")
	default:
		panic(fmt.Sprintf("explain: codes.txt: %q", line))
	}
}

// mustReadPlaces reads fields.txt; it panics on an error, as the file is part of the program.
func mustReadPlaces(text string) map[string]*field {
	all := map[string]*field{}
	for lines := range blocks(text) {
		keys, name := cutKeys(lines[0])
		f := &field{name: name}
		for _, line := range lines[1:] {
			f.mustRead(line)
		}
		for _, key := range keys {
			if all[key] != nil || f.definition == "" || name == "" {
				panic(fmt.Sprintf("explain: fields.txt: %q", key))
			}
			all[key] = f
		}
	}
	return all
}

// cutKeys splits the head of a block into keys, which begin with a digit, and the name.
func cutKeys(head string) (keys []string, name string) {
	name = head
	for name != "" && name[0] >= '0' && name[0] <= '9' {
		var key string
		key, name, _ = strings.Cut(name, " ")
		keys = append(keys, key)
	}
	return keys, name
}

func (f *field) mustRead(line string) {
	name, text, _ := strings.Cut(line, ": ")
	switch name {
	case "is":
		f.definition = text
	case "form":
		f.format = text
	case "find":
		f.where = text
	case "list":
		f.list = text
	case "papers":
		f.documents = strings.Split(text, "; ")
	default:
		panic(fmt.Sprintf("explain: fields.txt: %q", line))
	}
}

// blocks yields the paragraphs of a text except comments.
func blocks(text string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
			if strings.HasPrefix(block, "#") {
				continue
			}
			if !yield(strings.Split(block, "\n")) {
				return
			}
		}
	}
}
