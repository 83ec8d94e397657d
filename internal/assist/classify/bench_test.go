package classify_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

const published = "../../../../shared/tariff/"

// whole returns the official nomenclature with the own words and all texts of the publisher,
// and questions that are not among these.
func whole(b *testing.B) (s classify.Sources, questions []string) {
	b.Helper()
	file, err := os.Open(published + "uk_goods_nomenclature_2022-01-01.csv")
	if err != nil {
		b.Skip("the published nomenclature is not beside the project")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	var nodes []nomenclature.Node
	for _, r := range rows[1:] {
		nodes = append(nodes, nomenclature.Node{
			Code: r[1], Suffix: r[2], From: r[3], To: r[4], Indent: int(r[5][0] - '0'), Declarable: r[6] == "1", Description: r[7],
		})
	}
	if s.Tree, err = nomenclature.New(nodes); err != nil {
		b.Fatal(err)
	}
	s.Words, s.Labelled = classify.Words(tariff.EmbeddedTree()), texts(b, "train_hmrc.jsonl")
	for _, t := range texts(b, "dev.jsonl") {
		questions = append(questions, t.Text)
	}
	return s, questions
}

func texts(b *testing.B, name string) (all []nomenclature.Text) {
	b.Helper()
	file, err := os.Open(published + name)
	if err != nil {
		b.Skip("the published texts are not beside the project")
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var t struct{ Query, Code string }
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			b.Fatal(err)
		}
		all = append(all, nomenclature.Text{Text: t.Query, Code: t.Code})
	}
	return all
}

// Time of a question with the whole tariff and all texts. The limits are 2 ms for half of the
// questions and 20 ms for 95 of 100.
func BenchmarkClassify(b *testing.B) {
	s, questions := whole(b)
	x := classify.New(s)
	var took []time.Duration
	i := 0
	for b.Loop() {
		began := time.Now()
		x.Classify(classify.Question{Description: questions[i%len(questions)], Day: "2022-06-01"})
		took = append(took, time.Since(began))
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// Time and memory of building an index. The limits are 3 s and 150 MB.
func BenchmarkNew(b *testing.B) {
	s, _ := whole(b)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		x := classify.New(s)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(x)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
}

// Time and memory of indexing an organisation's own texts.
func BenchmarkHistory(b *testing.B) {
	s, questions := whole(b)
	x := classify.New(s)
	own := make([]nomenclature.Text, classify.MaxHistory)
	for i := range own {
		own[i] = nomenclature.Text{Text: questions[i%len(questions)], Code: "6109100010"}
	}
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		h := x.History(own)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(h)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
}

// Time of reading the index of the embedded nomenclature from a file.
func BenchmarkLoad(b *testing.B) {
	s := classify.Sources{Tree: tariff.EmbeddedTree()}
	path := saved(b, s)
	digest := s.Digest()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := classify.Load(path, digest, s); err != nil {
			b.Fatal(err)
		}
	}
	info, _ := os.Stat(path)
	b.ReportMetric(float64(info.Size())/(1<<20), "MB")
}
