package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

const calibrationText = `How often answers are right by the confidence that they have: where it says 0.9, nine of ten should be. Percent with 95 % Wilson intervals; the mean confidence stands before them.
The classifier's table was fitted on train_hmrc.jsonl without the texts asked (development); dev.jsonl was held apart from the fit. The licence classifier's confidence is that of its verdict, on the labelled goods of its own tests. The table for values of documents was fitted on disturbed letters and other documents of the development side.
After questions the table was fitted on train_hmrc.jsonl with answers of which one in six is wrong, as the classifier itself supposes: what an answer rules out keeps 3 % of its evidence. A trader who always answers truthfully then finds more right than the confidence says (0.93 where all are right); of those with 0.9 and more still 89 in 100 are right for one who errs in a quarter of the answers. The reader errs far more often than supposed, in 57 of 89 answers about rulings and 47 of 88 about traders' questions of the development side, because it reads no better than the classifier; its codes are right as seldom. A table fitted for it would say 0.6 to those who answer truthfully where all of their codes are right, and nothing is known of traders that would make it the better supposition.
Reviews have no confidence: their warnings are measured above (declared codes) and by their tests.
`

// bounds are the lower bounds of the classes of confidence.
var bounds = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// calibrated writes the curve of each helper.
func calibrated(w io.Writer) error {
	train, err := samples("train_hmrc.jsonl")
	if missing(w, err) {
		return nil
	} else if err != nil {
		return err
	}
	dev, err := samples("dev.jsonl")
	if err != nil {
		return err
	}
	indexes, err := settings()
	if err != nil {
		return err
	}
	fmt.Fprint(w, calibrationText)
	own, official := classify.New(indexes[0].sources), classify.New(indexes[2].sources)
	apart := classify.New(withoutPart(indexes[1].sources, train, 1))
	curves(w, "Classifier, first suggestions, ten digits", []curve{
		{"own nomenclature, development", firsts(own, quarter(train, 1))}, {"own nomenclature, held apart", firsts(own, dev)},
		{"official with train_hmrc.jsonl, development", firsts(apart, quarter(train, 1))}, {"official with train_hmrc.jsonl, held apart", firsts(official, dev)},
	})
	afterQuestions(w, official, dev)
	wrongAnswers(w, apart, quarter(train, 1))
	var licences []curve
	for _, f := range [][2]string{{"development.csv", "development"}, {"heldout.csv", "held apart"}, {"classes.csv", "classes, development"}, {"classes_heldout.csv", "classes, held apart"}} {
		judged, err := verdicts(f[0])
		if err != nil {
			return err
		}
		licences = append(licences, curve{f[1], judged})
	}
	curves(w, "Licence classifier, verdicts", licences)
	return readings(w)
}

// readings writes the curves of the values of documents. In letters of the generator a value is wrong too if the letter
// has no such field.
func readings(w io.Writer) error {
	engine := extract.New()
	var all []curve
	add := func(name string, samples []documents.Sample, whole bool) error {
		judged, err := judgeReading(engine, samples, whole)
		all = append(all, curve{name, judged})
		return err
	}
	made, held := documents.Split(documents.Letters())
	corpus, err := documents.Invoices(documents.Corpus)
	if err != nil && !errors.Is(err, documents.ErrNoCorpus) {
		return err
	}
	corpusMade, corpusHeld := documents.Split(corpus)
	if err := errors.Join(add("disturbed letters, development", documents.Disturbed(), true), add("letters, development", made, true), add("letters, held apart", held, true),
		add("invoices by other hands, development", corpusMade, false), add("invoices by other hands, held apart", corpusHeld, false)); err != nil {
		return err
	}
	curves(w, "Values of documents", all)
	return nil
}

// curve is how often answers of one set were right.
type curve struct {
	name   string
	judged []judgement
}

func curves(w io.Writer, title string, all []curve) {
	fmt.Fprintf(w, "\n### %s\n\n| confidence |", title)
	rule := "\n|---|"
	for _, c := range all {
		fmt.Fprintf(w, " %s |", c.name)
		rule += "---|"
	}
	fmt.Fprintln(w, rule)
	for i, from := range bounds {
		fmt.Fprintf(w, "| %.1f and more |", from)
		for _, c := range all {
			n, right, sum := 0, 0, 0.0
			for _, j := range c.judged {
				if j.value >= from && (i+1 == len(bounds) || j.value < bounds[i+1]) {
					n++
					sum += j.value
					if j.right {
						right++
					}
				}
			}
			if n == 0 {
				fmt.Fprint(w, " – |")
				continue
			}
			fmt.Fprintf(w, " %.2f: %d of %d, %s |", sum/float64(n), right, n, wilson(right, n))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| expected calibration error |")
	for _, c := range all {
		fmt.Fprintf(w, " %.3f |", calibrationError(c.judged))
	}
	fmt.Fprintln(w)
}

// firsts judges the first suggestions for samples with known codes of ten digits.
func firsts(x *classify.Index, asked []sample) (all []judgement) {
	for _, s := range asked {
		if found := x.Classify(classify.Question{Description: s.Query, Day: day}).Suggestions; len(s.Code) == depths[3] && len(found) > 0 {
			all = append(all, judgement{found[0].Confidence, found[0].Code == s.Code})
		}
	}
	return all
}

// verdicts judges the verdicts on labelled goods of the licence classifier.
func verdicts(name string) (all []judgement, err error) {
	file, err := os.Open(filepath.Join("internal/hub/exportcontrol/testdata", name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, r := range rows[1:] {
		item := exportcontrol.Item{Description: r[0], Code: r[1], EndUse: r[2], Destination: r[3]}
		if r[4] != "" {
			has := r[4] == "true"
			item.Cryptography = &has
		}
		c := exportcontrol.Classify(item)
		all = append(all, judgement{c.Confidence, string(c.Verdict) == r[5]})
	}
	return all, nil
}

// afterQuestions writes the curves of first suggestions after up to three answers of each oracle, by development side. The confidence
// supposes that the answers are right, which the reader's often are not.
func afterQuestions(w io.Writer, x *classify.Index, dev []sample) {
	sides := []curve{{name: "perfect oracle, development"}, {name: "perfect oracle, held apart"}, {name: "reader, development"}, {name: "reader, held apart"}}
	for _, d := range append(rulings(dev), traders(dev)...) {
		for n, o := range []oracle{perfect(d.code), reader(x, d.full)} {
			a, asked := ask(x, d, o, classify.MaxAnswers)
			if len(a.Suggestions) == 0 || asked == 0 {
				continue
			}
			side := &sides[2*n]
			if d.apart() {
				side = &sides[2*n+1]
			}
			side.judged = append(side.judged, judgement{a.Suggestions[0].Confidence, a.Suggestions[0].Code == d.code})
		}
	}
	curves(w, "Classifier, first suggestions after answered questions", sides)
}
