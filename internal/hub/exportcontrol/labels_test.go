package exportcontrol_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// labelled is goods with the label of an expert.
type labelled struct {
	item     exportcontrol.Item
	verdict  exportcontrol.Verdict
	regime   exportcontrol.Regime
	licence  string
	entry    string // "" if the label has none
	position string // in its file
}

func readLabels(t testing.TB, file string) (all []labelled) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows[1:] {
		l := labelled{
			item:    exportcontrol.Item{Description: r[0], Code: r[1], EndUse: r[2], Destination: r[3]},
			verdict: exportcontrol.Verdict(r[5]), regime: exportcontrol.Regime(r[6]), licence: r[7], entry: r[8], position: fmt.Sprintf("%s:%d", file, i+2),
		}
		if r[4] != "" {
			says := r[4] == "true"
			l.item.Cryptography = &says
		}
		all = append(all, l)
	}
	return all
}

// score counts the results for a file of labels.
type score struct {
	items, verdicts, regimes, licences int
	entries, first, among              int // labels with an entry; of these, entry ranked first, and entry found
	missed                             int // needs a licence, classified as free
	severe                             int // of the missed, military, sanctioned or for a weapon
	alarms                             int // needs none, classified otherwise
	by                                 map[exportcontrol.Verdict][2]int
	wrong                              []string
}

// Cost of errors: a miss costs five false alarms, and a miss of military, sanctioned or end-use goods twenty.
const (
	costMiss   = 5
	costSevere = 20
)

func (s score) cost() float64 {
	return float64(s.alarms+costMiss*(s.missed-s.severe)+costSevere*s.severe) / float64(s.items)
}

func measure(labels []labelled) (s score) {
	s.by = map[exportcontrol.Verdict][2]int{}
	for _, l := range labels {
		c := exportcontrol.Classify(l.item)
		licence := ""
		if c.LicenceType != nil {
			licence = *c.LicenceType
		}
		s.items++
		n := s.by[l.verdict]
		n[1]++
		if c.Verdict == l.verdict {
			s.verdicts++
			n[0]++
		}
		s.by[l.verdict] = n
		if c.Regime == l.regime {
			s.regimes++
		}
		if licence == l.licence {
			s.licences++
		}
		s.add(l, c)
		s.place(l, c)
		if c.Verdict != l.verdict || c.Regime != l.regime || licence != l.licence {
			s.wrong = append(s.wrong, fmt.Sprintf("%s %q to %s: %s %s %s, not %s %s %s %v", l.position, l.item.Description, l.item.Destination,
				c.Verdict, c.Regime, licence, l.verdict, l.regime, l.licence, brief(c.Entries)))
		}
	}
	return s
}

func (s *score) add(l labelled, c exportcontrol.Classification) {
	switch {
	case l.verdict == exportcontrol.Needs && c.Verdict == exportcontrol.Free:
		s.missed++
		if slices.Contains([]exportcontrol.Regime{exportcontrol.Military, exportcontrol.Sanctions, exportcontrol.WMDEndUse, exportcontrol.MilitaryEndUse}, l.regime) {
			s.severe++
		}
	case l.verdict == exportcontrol.Free && c.Verdict != exportcontrol.Free:
		s.alarms++
	}
}

func (s *score) place(l labelled, c exportcontrol.Classification) {
	if l.entry == "" {
		return
	}
	s.entries++
	at := slices.IndexFunc(c.Entries, func(e exportcontrol.Entry) bool { return e.Entry == l.entry })
	if at == 0 {
		s.first++
	}
	if at >= 0 {
		s.among++
	} else {
		s.wrong = append(s.wrong, fmt.Sprintf("%s %q: no %s among %v", l.position, l.item.Description, l.entry, brief(c.Entries)))
	}
}

func brief(entries []exportcontrol.Entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, fmt.Sprintf("%s %.2f", e.Entry, e.Confidence))
	}
	return strings.Join(all, ", ")
}
