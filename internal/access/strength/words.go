package strength

import (
	_ "embed" // the word lists
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed"
)

// packedLists are the word lists of github.com/trustelem/zxcvbn/frequency, of which TestLists makes the file. That package
// itself takes 1.6 MB of memory in every program, and three times as much of its file.
//
//go:embed words.gz
var packedLists []byte

// lists are the word lists as text, one a line: its name, and its words from the most frequent on, all separated by
// spaces.
var lists = sync.OnceValue(func() string { return packed.Text(packedLists) })

// eachWord calls fn for every word of every list, with its rank in the list from 1.
func eachWord(fn func(list, word string, rank int)) {
	for line := range strings.Lines(lists()) {
		name, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rank := 0
		for word := range strings.SplitSeq(words, " ") {
			rank++
			fn(name, word, rank)
		}
	}
}
