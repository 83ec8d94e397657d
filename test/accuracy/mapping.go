package main

import (
	"fmt"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping/mappingtest"
)

// mapping writes how often the columns of clients' tables are recognised.
func mapping(w io.Writer) error {
	work, err := mappingtest.DevelopmentTables()
	if err != nil {
		return err
	}
	held, err := mappingtest.HeldOutTables()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d tables written for this test, in twelve languages, with and without headers. %d of them, the held ones, were written before they were measured, and nothing was tuned to them. "+
		"A column without a field of a client for which no field is guessed counts as right.\n\n", len(work)+len(held), len(held))
	fmt.Fprint(w, "| tables | | without an error | columns | right | fields found | guesses | wrong |\n|---|---|---|---|---|---|---|---|\n")
	scores := map[string]mappingtest.Score{"made with": mappingtest.Measure(work), "held": mappingtest.Measure(held)}
	for _, name := range []string{"made with", "held"} {
		s := scores[name]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %s | %d | %d |\n", name, s.Tables, s.Flawless, s.Columns,
			share(s.Right, s.Columns), share(s.Found, s.Labelled), s.Guessed, s.Wrong)
	}
	fmt.Fprint(w, "\n| confidence | made with | held |\n|---|---|---|\n")
	for i, name := range []string{"below 0.80", "0.80 to 0.89", "0.90 to 0.94", "0.95 to 0.97", "0.98 and more"} {
		a, b := scores["made with"].Buckets[i], scores["held"].Buckets[i]
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, withInterval(a.Right, a.Guessed), withInterval(b.Right, b.Guessed))
	}
	return nil
}

// share is a percentage with one decimal place.
func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%d.%d %%", part*100/whole, part*1000/whole%10)
}
