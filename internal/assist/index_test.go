package assist_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// filed is a classifier with a file for its index, and its log.
func filed(folder string) (s *classifierFixture, log *lines) {
	s, log = open(), &lines{}
	s.File, s.Log = filepath.Join(folder, "classifier.index"), slog.New(slog.NewTextHandler(log, nil))
	return s, log
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

const (
	madeAgain  = "the classifier's index is made again"
	cannotSave = "cannot save the classifier's index"
)

// content reads the file of an index.
func content(t *testing.T, s *classifierFixture) []byte {
	t.Helper()
	data, err := os.ReadFile(s.File)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The file is made once, in the background or by the first question, and gives the same
// answers; a damaged one is made again.
func TestIndexFile(t *testing.T) {
	folder := t.TempDir()
	background, log := filed(folder)
	background.Prepare(ctx)
	whole := content(t, background)
	want := open().classify(t, ours, "cotton tee")
	if got := background.classify(t, ours, "cotton tee"); !reflect.DeepEqual(got, want) || log.count("") != 1 {
		t.Errorf("after Prepare: %+v, want %+v", got, want)
	}

	for name, data := range map[string][]byte{
		"cut short": whole[:len(whole)/2], "empty": {}, "another file": []byte("SQLite format 3\x00"), "one bit": flipped(whole),
	} {
		for who, use := range map[string]func(*classifierFixture){"question": func(s *classifierFixture) { s.classify(t, ours, "tea") }, "background": func(s *classifierFixture) { s.Prepare(ctx) }} {
			s, log := filed(folder)
			if err := os.WriteFile(s.File, data, 0o600); err != nil {
				t.Fatal(err)
			}
			use(s)
			if got := s.classify(t, ours, "cotton tee"); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %+v, want %+v", name, who, got, want)
			}
			if !bytes.Equal(content(t, s), whole) || log.count(madeAgain) != 1 {
				t.Errorf("%s, %s: the file was not made again, or more than once", name, who)
			}
		}
	}

	if err := os.Remove(background.File); err != nil {
		t.Fatal(err)
	}
	s, log := filed(folder)
	s.classify(t, ours, "tea")
	if !bytes.Equal(content(t, s), whole) || log.count("made again")+log.count("cannot") != 0 {
		t.Error("the first question did not make the file, or logged something")
	}
}

func flipped(data []byte) []byte {
	data = bytes.Clone(data)
	data[len(data)/2] ^= 1
	return data
}

// The file of another tariff is not used, and is replaced; so is the index in memory, if
// there is one.
func TestIndexFileOfAnotherTariff(t *testing.T) {
	folder := t.TempDir()
	former, _ := filed(folder)
	former.Prepare(ctx)
	before := content(t, former)

	next := *cornerCases()
	next.References = []nomenclature.Text{{Text: "zorbing gimmick", Code: "9503004100"}}
	s, log := filed(folder)
	s.Imported = func() *tariff.Snapshot { return &next }
	s.Prepare(ctx)
	if bytes.Equal(content(t, s), before) || log.count(madeAgain) != 1 {
		t.Error("the file of the former tariff is still there")
	}

	former.classify(t, ours, "tea")
	former.Imported = s.Imported
	former.Prepare(ctx)
	if found := former.classify(t, ours, "zorbing gimmick"); len(found.Suggestions) == 0 || found.Suggestions[0].Code != "9503004100" {
		t.Errorf("%+v", found)
	}
}

// If the file cannot be written, the index stays in memory, and the log says so once.
func TestIndexWithoutFolder(t *testing.T) {
	s, log := filed(filepath.Join(t.TempDir(), "missing"))
	s.Prepare(ctx)
	s.Prepare(ctx)
	s.classify(t, ours, "tea")
	if log.count(cannotSave) != 1 {
		t.Errorf("%d lines of log, want 1", log.count(cannotSave))
	}
}

// In the background an index is built slowly. If a question waits for it, the build no longer
// rests.
func TestIndexIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		alone, _ := filed(t.TempDir())
		alone.Prepare(ctx)
		slow := time.Since(began)
		if slow == 0 {
			t.Error("making an index in the background never rests")
		}

		began = time.Now()
		s, _ := filed(t.TempDir())
		go s.Prepare(ctx)
		synctest.Wait() // it rests
		s.classify(t, ours, "tea")
		if took := time.Since(began); took != 0 {
			t.Errorf("the question waited %s for rests, which are %s in all", took, slow)
		}
	})
}

// The background begins ten seconds after the start, stops with its context, and leaves no
// part of a file.
func TestIndexInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		s, _ := filed(folder)
		running, stop := context.WithCancel(ctx)
		go s.Run(running)
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if left, _ := os.ReadDir(folder); len(left) != 0 {
			t.Error("made at the start")
		}
		time.Sleep(time.Second + time.Millisecond/2)
		stop()
		synctest.Wait() // Run must have returned
		if left, _ := os.ReadDir(folder); len(left) != 0 {
			t.Errorf("stopped, and left %v", left)
		}

		again, cancel := context.WithCancel(ctx)
		go s.Run(again)
		time.Sleep(time.Minute)
		content(t, s)
		cancel()
	})
}

// Services that share a folder can use the same file.
func TestIndexFileShared(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		s, _ := filed(folder)
		all.Go(func() { s.Prepare(ctx); s.classify(t, ours, "tea") })
		all.Go(func() { s.classify(t, ours, "tea") })
	}
	all.Wait()
	s, log := filed(folder)
	s.classify(t, ours, "tea")
	if log.count(madeAgain) != 0 {
		t.Error("the file cannot be used")
	}
}
