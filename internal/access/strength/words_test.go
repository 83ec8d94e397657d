package strength

import (
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trustelem/zxcvbn/frequency"
)

// rewriteVariable makes TestLists write the file again, after an update of the library.
const rewriteVariable = "TIDEWAITER_WRITE_WORDS"

// The file holds the lists of the library, word for word.
func TestLists(t *testing.T) {
	if os.Getenv(rewriteVariable) != "" {
		writeLists(t)
		return
	}
	found := map[string][]string{}
	eachWord(func(list, word string, rank int) {
		found[list] = append(found[list], word)
		if rank != len(found[list]) {
			t.Fatalf("%s in %s has the rank %d", word, list, rank)
		}
	})
	if !maps.EqualFunc(found, frequency.FrequencyLists, slices.Equal) {
		t.Errorf("words.gz does not hold the lists of the library; run this test with %s=1 to write it again", rewriteVariable)
	}
}

func writeLists(t *testing.T) {
	var text bytes.Buffer
	packed, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(frequency.FrequencyLists)) {
		words := frequency.FrequencyLists[name]
		if slices.ContainsFunc(words, func(word string) bool { return word == "" || strings.ContainsAny(word, " \n") }) {
			t.Fatalf("a word of %s cannot be written", name)
		}
		if _, err := packed.Write([]byte(name + " " + strings.Join(words, " ") + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("words.gz", text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
