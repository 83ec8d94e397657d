package main

import (
	"fmt"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// ownGoods measures what an organisation's own goods add: the parcel descriptions of the training texts are taken as its goods, and
// those of dev.jsonl asked.
func ownGoods(w io.Writer) error {
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
	var goods []nomenclature.Text
	for _, s := range train {
		if s.Source == "fpo_extra" {
			goods = append(goods, nomenclature.Text{Text: s.Query, Code: s.Code})
		}
	}
	fmt.Fprintf(w, "%d parcel descriptions of train_hmrc.jsonl as one organisation's products and accepted goods; the parcel descriptions of dev.jsonl, held apart, as questions. First suggestions that are right, in percent with 95 %% Wilson intervals. Another organisation has the figures without own goods.\n\n", len(goods))
	fmt.Fprintln(w, "| nomenclature | own goods | heading | 6 digits | 8 digits | 10 digits |\n|---|---|---|---|---|---|")
	for _, i := range []int{0, 1} {
		x := classify.New(indexes[i].sources)
		for _, own := range []struct {
			name    string
			history *classify.History
		}{{"none", nil}, {"all", x.History(goods)}} {
			var right score
			for _, s := range dev {
				if s.Source == "fpo_extra" {
					right.add(s.Code, x.Classify(classify.Question{Description: s.Query, Day: day, Own: own.history}).Suggestions)
				}
			}
			fmt.Fprintf(w, "| %s | %s |", indexes[i].title, own.name)
			for d := range depths {
				fmt.Fprintf(w, " %s |", wilson(right.first[d], right.asked[d]))
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}
