package classify_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// rich are sources with texts of every kind.
func rich(t testing.TB) classify.Sources {
	return classify.Sources{
		Tree: goods(t), References: []nomenclature.Text{{Text: "wellies for teddies", Code: "9503004100"}},
		Words:    []nomenclature.Text{{Text: "plush bear", Code: "9503"}},
		Labelled: []nomenclature.Text{{Text: "stainless bwl 20cm", Code: "7323930090"}, {Text: "zw collection denim", Code: "62046231"}},
	}
}

// saved writes the index of sources to a file.
func saved(t testing.TB, s classify.Sources) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "classifier.index")
	if err := classify.New(s).Save(path, s.Digest()); err != nil {
		t.Fatal(err)
	}
	return path
}

// An index read from a file gives the same answers as the saved one, to the last bit.
func TestFile(t *testing.T) {
	sameAnswers(t, map[string]classify.Sources{
		"rich": rich(t), "nomenclature alone": {Tree: goods(t)}, "empty": {Tree: nomenclatureOf(t)},
	})
}

// A file begins with how the index was made, so that people can repeat it.
func TestFileSaysHowItWasMade(t *testing.T) {
	s := rich(t)
	s.Edition = "the tariff of the test as at 2026-11-27"
	file, err := os.ReadFile(saved(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{s.Edition, "1 texts in everyday words", "2 descriptions with a chosen code", "make fit"} {
		if !bytes.Contains(file[:512], []byte(wanted)) {
			t.Errorf("the file does not begin with %q:\n%s", wanted, file[:512])
		}
	}
}

// The same holds for the embedded nomenclature.
func TestOwnIndexFile(t *testing.T) {
	sameAnswers(t, map[string]classify.Sources{"own": {Tree: tariff.EmbeddedTree()}})
}

func sameAnswers(t *testing.T, all map[string]classify.Sources) {
	t.Helper()
	for name, s := range all {
		built := classify.New(s)
		path := filepath.Join(t.TempDir(), "classifier.index")
		if err := built.Save(path, s.Digest()); err != nil {
			t.Fatal(err)
		}
		if err := classify.Verify(path, s.Digest()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		read, err := classify.Load(path, s.Digest(), s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		history := []nomenclature.Text{{Text: "quibble stand of steel", Code: "7323930090"}}
		for _, text := range append([]string{
			"men's cotton T-shirts", "Wellies for teddies", "steel bowls and plastic cups", "leather handbag", "plush bear", "6109", "quibble stand",
			"A set of stackable cups for picnics. They are made of plastics and come in a box of cardboard, with a leather strap.",
		}, odd...) {
			a := built.Classify(classify.Question{Description: text, Day: today, Own: built.History(history)})
			b := read.Classify(classify.Question{Description: text, Day: today, Own: read.History(history)})
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s, %q: the index in memory says\n%+v\nthe one of the file\n%+v", name, text, a, b)
			}
		}
	}
}

// The same sources give the same file on every machine. If this test fails because
// learning has changed, increase learningVersion and -update.
func TestFileOfThisVersion(t *testing.T) {
	data, err := os.ReadFile(saved(t, rich(t)))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("version %d: %x\n", classify.LearningVersion, sha256.Sum256(data))
	const file = "testdata/file.golden"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("%v: got %swant %s", err, got, want)
	}
}

// A file of other sources is refused, even if only one text, code or word differs or a text is
// in another list.
func TestOtherSources(t *testing.T) {
	s := rich(t)
	path := saved(t, s)
	for name, change := range map[string]func(*classify.Sources){
		"another text": func(s *classify.Sources) { s.Labelled = append(s.Labelled, nomenclature.Text{Text: "x", Code: "9503"}) },
		"another list": func(s *classify.Sources) { s.Words, s.Labelled = s.Labelled, s.Words },
		"another tree": func(s *classify.Sources) { s.Tree = nomenclatureOf(t) },
		"another line": func(s *classify.Sources) { s.Tree = changed(t, func(n *nomenclature.Node) { n.Description += "s" }) },
		"other words": func(s *classify.Sources) {
			s.Tree = changed(t, func(n *nomenclature.Node) { n.Terms = append(n.Terms, "x") })
		},
		"not declarable": func(s *classify.Sources) {
			s.Tree = changed(t, func(n *nomenclature.Node) { n.Declarable = !n.Declarable })
		},
		"text and code":   func(s *classify.Sources) { s.Words[0] = nomenclature.Text{Text: "plush bear9", Code: "503"} },
		"without a words": func(s *classify.Sources) { s.Words = nil },
	} {
		other := rich(t)
		change(&other)
		if _, err := classify.Load(path, other.Digest(), other); !errors.Is(err, classify.ErrUnusable) {
			t.Errorf("%s: Load: %v", name, err)
		}
		if err := classify.Verify(path, other.Digest()); !errors.Is(err, classify.ErrUnusable) {
			t.Errorf("%s: Verify: %v", name, err)
		}
	}
}

// changed is the nomenclature with its last node changed.
func changed(t *testing.T, change func(*nomenclature.Node)) *nomenclature.Tree {
	t.Helper()
	tree := goods(t)
	var nodes []nomenclature.Node
	for i := range tree.Len() {
		nodes = append(nodes, *tree.At(i))
	}
	change(&nodes[len(nodes)-1])
	return nomenclatureOf(t, nodes...)
}

// A file that is cut short, too long, changed anywhere, or of another kind is refused, and
// nothing panics.
func TestDamagedFile(t *testing.T) {
	s := rich(t)
	path := saved(t, s)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := classify.Load(path, s.Digest(), s); !errors.Is(err, classify.ErrUnusable) {
			t.Errorf("%s: Load: %v", name, err)
		}
		if err := classify.Verify(path, s.Digest()); !errors.Is(err, classify.ErrUnusable) {
			t.Errorf("%s: Verify: %v", name, err)
		}
	}
	for _, size := range []int{0, 1, 7, 8, 75, 76, 77, len(whole) / 2, len(whole) - 4, len(whole) - 1} {
		refused(fmt.Sprint("cut to ", size), whole[:size])
	}
	refused("longer", append(slices.Clone(whole), 0))
	refused("zeros", make([]byte, len(whole)))
	refused("text", slices.Repeat([]byte("a"), len(whole)))
	for at := 0; at < len(whole); at += max(1, min(at/8, 997)) {
		data := slices.Clone(whole)
		data[at] ^= 0x40
		refused(fmt.Sprint("bit of byte ", at), data)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := classify.Load(path, s.Digest(), s); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := classify.Verify(path, s.Digest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Numbers out of range are found even if the checksum is right. The test makes one number
// after the other very large.
func TestNumbersOutOfRange(t *testing.T) {
	s := rich(t)
	path := saved(t, s)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unread := 0
	for at := 44; at+8 <= len(whole); at += 4 * max(1, at/256) {
		data := slices.Clone(whole)
		binary.LittleEndian.PutUint32(data[at:], 1<<31-1)
		binary.LittleEndian.PutUint32(data[len(data)-4:], crc32.Checksum(data[:len(data)-4], crc32.MakeTable(crc32.Castagnoli)))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if x, err := classify.Load(path, s.Digest(), s); err == nil {
			ask(x, "steel bowls and plastic cups") // a weight, a key or a letter: the answer may change, nothing else
		} else if unread++; !errors.Is(err, classify.ErrUnusable) {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	if unread < 50 {
		t.Errorf("only %d numbers were found to be out of range", unread)
	}
}

// A folder that cannot be written is an error, and leaves no draft behind.
func TestSaveFails(t *testing.T) {
	s := rich(t)
	folder := t.TempDir()
	x := classify.New(s)
	if err := x.Save(filepath.Join(folder, "missing", "classifier.index"), s.Digest()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err %v", err)
	}
	path := filepath.Join(folder, "classifier.index")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := x.Save(path, s.Digest()); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// Building stops with the error of a pause, whenever that comes.
func TestPause(t *testing.T) {
	s, stop := rich(t), errors.New("stop")
	most := 0
	if _, err := classify.Build(s, func() error { most++; return nil }); err != nil || most < 5 {
		t.Fatalf("%d pauses, %v", most, err)
	}
	for n := range most {
		left := n
		x, err := classify.Build(s, func() error {
			if left--; left < 0 {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || x != nil {
			t.Errorf("after %d pauses: %v", n, err)
		}
	}
}
