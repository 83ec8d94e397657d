package control_test

import "testing"

func TestDevelopment(t *testing.T) {
	s := measure(readLabels(t, "development.csv"))
	for _, w := range s.wrong {
		t.Log(w)
	}
	t.Logf("%d items: verdict %d regime %d licence %d; entries %d first %d among %d; missed %d grave %d alarms %d", s.items, s.verdicts, s.regimes, s.licences, s.entries, s.first, s.among, s.missed, s.grave, s.alarms)
}
