package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// day is a day on which all lines of the published nomenclature were in force.
const day = "2022-06-01"

// sources are the sources of samples and their descriptions, in the order of the document.
var sources = [][2]string{
	{"fpo_extra", "parcel descriptions"}, {"hmrc_persona", "traders' questions"}, {"atar_uk", "UK ruling texts"},
	{"hmrc_refs", "search references"}, {"hmrc_validation", "traders' words"}, {"consumer_v1", "consumer goods"},
	{"hsclassify_bench", "trade descriptions"}, {"atlas_val", "US ruling texts, older editions"},
}

// setting is a set of sources for an index.
type setting struct {
	title   string
	sources classify.Sources
	seen    string // the source of samples that is in the index; empty for none
}

func classification(w io.Writer) error {
	settings, err := settings()
	if errors.Is(err, fs.ErrNotExist) {
		_, err := fmt.Fprintf(w, "Not measured: the published files are not at %s.\n", published)
		return err
	}
	if err != nil {
		return err
	}
	dev, err := samples("dev.jsonl")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Measured on %d descriptions with known codes that are in no index (`dev.jsonl`). Some settings were chosen with them, but word lists were not made from them.\n"+
		"A suggestion is right if it has the first 4, 6, 8 or 10 digits of the known code. The table has the first suggestion / any of the first five, in percent of the descriptions whose code is known to this length.\n"+
		"The expected calibration error (ECE) is the difference between the confidence of the first suggestion and how often its whole code is right, over ten ranges of confidence, for known codes of ten digits.\n", len(dev))
	for _, s := range settings {
		x := classify.New(s.sources)
		fmt.Fprintf(w, "\n### %s\n\n", s.title)
		table(w, x, dev, s.seen)
	}
	return nil
}

func settings() ([]setting, error) {
	tree, err := officialTree()
	if err != nil {
		return nil, err
	}
	train, err := trained()
	if err != nil {
		return nil, err
	}
	refs, err := references()
	if err != nil {
		return nil, err
	}
	own := classify.Words(tariff.EmbeddedTree())
	return []setting{
		{"The own nomenclature alone", classify.Sources{Tree: tariff.EmbeddedTree()}, ""},
		{"The official nomenclature, no references", classify.Sources{Tree: tree, Words: own}, ""},
		{"The official nomenclature with train_hmrc.jsonl", classify.Sources{Tree: tree, Words: own, Labelled: train}, ""},
		{"The same with the search references imported", classify.Sources{Tree: tree, Words: own, References: refs, Labelled: train}, "hmrc_refs"},
	}, nil
}

func trained() ([]nomenclature.Text, error) {
	all, err := samples("train_hmrc.jsonl")
	texts := make([]nomenclature.Text, len(all))
	for i, s := range all {
		texts[i] = nomenclature.Text{Text: s.Query, Code: s.Code}
	}
	return texts, err
}

var depths = [...]int{4, 6, 8, 10}

// score counts the right answers for one source.
type score struct {
	asked, first, five [len(depths)]int
	judged             []judgement
}

// judgement is a suggestion's confidence or weight, and whether its whole code was right.
type judgement struct {
	value float64
	right bool
}

func (s *score) add(code string, found []classify.Suggestion) {
	for d, n := range depths {
		if len(code) < n {
			continue
		}
		s.asked[d]++
		at := slices.IndexFunc(found[:min(5, len(found))], func(f classify.Suggestion) bool { return f.Code[:n] == code[:n] })
		if at == 0 {
			s.first[d]++
		}
		if at >= 0 {
			s.five[d]++
		}
	}
	if len(code) == depths[3] && len(found) > 0 {
		s.judged = append(s.judged, judgement{found[0].Confidence, found[0].Code == code})
	}
}

func table(w io.Writer, x *classify.Index, dev []sample, seen string) {
	scores := map[string]*score{}
	var all score
	for _, s := range dev {
		found := x.Classify(classify.Question{Description: s.Query, Day: day}).Suggestions
		if scores[s.Source] == nil {
			scores[s.Source] = &score{}
		}
		scores[s.Source].add(s.Code, found)
		if s.Source != seen {
			all.add(s.Code, found)
		}
	}
	fmt.Fprintln(w, "| source | n | heading | 6 digits | 8 digits | 10 digits | ECE |\n|---|---|---|---|---|---|---|")
	for _, source := range sources {
		name := source[1] + " (" + source[0] + ")"
		if source[0] == seen {
			name += ", leaked: the index has seen them"
		}
		scores[source[0]].write(w, name)
	}
	all.write(w, "all that were not seen")
}

func (s *score) write(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d |", name, s.asked[0])
	for d := range depths {
		if s.asked[d] == 0 {
			fmt.Fprint(w, " – |")
			continue
		}
		percent := func(n int) float64 { return 100 * float64(n) / float64(s.asked[d]) }
		fmt.Fprintf(w, " %.0f / %.0f |", percent(s.first[d]), percent(s.five[d]))
	}
	if len(s.judged) == 0 {
		fmt.Fprintln(w, " – |")
		return
	}
	fmt.Fprintf(w, " %.3f |\n", calibrationError(s.judged))
}

// calibrationError is the expected calibration error over ten classes of confidence.
func calibrationError(all []judgement) float64 {
	var count, right, output [10]float64
	for _, j := range all {
		class := min(9, int(j.value*10))
		count[class]++
		output[class] += j.value
		if j.right {
			right[class]++
		}
	}
	var sum float64
	for c := range count {
		sum += max(right[c]-output[c], output[c]-right[c])
	}
	return sum / float64(len(all))
}
