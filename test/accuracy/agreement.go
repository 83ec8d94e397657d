package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// trial is a text with a code that is right or wrong, and how far they agree.
type trial struct {
	kind int
	classify.Agreement
}

// Kinds of trials.
const (
	rightCode    = iota
	otherChapter // the code of another text
	otherHeading // the code of another text of the same chapter
	trialKinds
)

// trials compares each text with its own code, and with codes of other texts.
func trials(x *classify.Index, asked []sample) (all []trial) {
	asked = slices.DeleteFunc(slices.Clone(asked), func(s sample) bool { return len(s.Code) < depths[0] })
	for i, s := range asked {
		q := classify.Question{Description: s.Query, Day: day}
		try := func(kind int, code string) {
			all = append(all, trial{kind, x.Agreement(q, code)})
		}
		try(rightCode, s.Code)
		const apart = 7 // so that neighbours in the file, which are alike, are not compared
		for _, wrong := range []struct {
			kind int
			fits func(code string) bool
		}{
			{otherChapter, func(code string) bool { return code[:2] != s.Code[:2] }},
			{otherHeading, func(code string) bool { return code[:2] == s.Code[:2] && code[:4] != s.Code[:4] }},
		} {
			for k := 1; k < len(asked); k++ {
				if code := asked[(i+len(asked)/2+k*apart)%len(asked)].Code; wrong.fits(code) {
					try(wrong.kind, code)
					break
				}
			}
		}
	}
	return all
}

// agreement measures how many wrong codes are found, and how many right ones are called wrong.
func agreement(w io.Writer) error {
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
	fmt.Fprintf(w, agreementText, len(train)/folds, len(dev))
	for _, s := range []struct {
		title string
		make  func() (*classify.Index, []sample)
	}{
		{"Development: own nomenclature, a quarter of train_hmrc.jsonl", func() (*classify.Index, []sample) { return classify.New(indexes[0].sources), quarter(train, 1) }},
		{"Development: official nomenclature and three quarters of train_hmrc.jsonl, the other quarter", func() (*classify.Index, []sample) {
			return classify.New(withoutPart(indexes[1].sources, train, 1)), quarter(train, 1)
		}},
		{"Held apart: own nomenclature, dev.jsonl", func() (*classify.Index, []sample) { return classify.New(indexes[0].sources), dev }},
		{"Held apart: official nomenclature and train_hmrc.jsonl, dev.jsonl", func() (*classify.Index, []sample) { return classify.New(indexes[2].sources), dev }},
	} {
		x, asked := s.make()
		fmt.Fprintf(w, "\n### %s\n\n", s.title)
		agreementTable(w, trials(x, asked))
	}
	return nil
}

const agreementText = `DEC-023 of a declaration's analysis compares the description of goods with the declared code. Every heading has a share of the evidence; a chapter has the sum of its headings. ` +
	`The contradiction is ln(b) − 1.5 ln(c) − 2 ln(h), where b is the share of the best chapter, c and h are those of the declared chapter and heading, each plus 0.02. The share of the code itself added nothing. ` +
	`A warning is given from ` + "`classify.ChapterPoint`" + ` on; without ln(c), from ` + "`classify.HeadingPoint`" + ` on, there is a note that another heading may fit. ` +
	`Weights and points were chosen on development texts only (%d texts); the %d texts held apart took no part in that, but their figures were seen while the form of the formula was chosen. Each text is compared with its own code, with the code of a text of another chapter, and with one of another heading of the same chapter.
Today's points are bold. Percentages with 95 %% Wilson intervals.
`

// agreementTable writes the curve of both points.
func agreementTable(w io.Writer, all []trial) {
	fmt.Fprintln(w, "| contradiction from | right codes with a warning | wrong chapters found | wrong headings of the chapter found |\n|---|---|---|---|")
	for _, point := range []float64{10, 11, 11.5, 12, 12.5, classify.ChapterPoint, 13, 13.25} {
		curveRow(w, all, point, point == classify.ChapterPoint, func(t trial) bool { return t.Contradiction() >= point })
	}
	fmt.Fprintln(w, "\n| contradiction of the heading from | right codes with a note or warning | wrong chapters found | wrong headings of the chapter found |\n|---|---|---|---|")
	for _, point := range []float64{6.5, 7, 7.25, classify.HeadingPoint, 7.75} {
		curveRow(w, all, point, point == classify.HeadingPoint, func(t trial) bool {
			return t.HeadingContradiction() >= point || t.Contradiction() >= classify.ChapterPoint
		})
	}
}

func curveRow(w io.Writer, all []trial, point float64, chosen bool, found func(trial) bool) {
	var n, hits [trialKinds]int
	for _, t := range all {
		n[t.kind]++
		if found(t) {
			hits[t.kind]++
		}
	}
	name := fmt.Sprintf("%.2f", point)
	if chosen {
		name = "**" + name + "**"
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s |\n", name, wilson(hits[rightCode], n[rightCode]), wilson(hits[otherChapter], n[otherChapter]), wilson(hits[otherHeading], n[otherHeading]))
}
