package exportcontrol

import (
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Shares of a noun's names, in percent, that must stand under headings without arms, and under chapters without species.
const (
	civilShare    = 45
	lifelessShare = 80
	finalShare    = 30 // of a noun's places in names, in percent, that must be at their end: “electric” stands before others
)

// The table of nouns is the one that the own nomenclature gives.
func TestNouns(t *testing.T) {
	files, err := filepath.Glob("../../tariff/own/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatal("no nomenclature:", err)
	}
	all, inner, civil, lifeless, woodless := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, file := range files {
		for code, terms := range termsOf(t, file) {
			for term := range strings.SplitSeq(terms, ";") {
				words := wordsOf(term)
				if len(words) == 0 || isDigit(words[len(words)-1][0]) {
					continue
				}
				noun := words[len(words)-1]
				all[noun]++
				for _, w := range words[:len(words)-1] {
					inner[w]++
				}
				if slices.Contains(civilChapters, code[:2]) || slices.Contains(civilHeadings, code[:min(4, len(code))]) {
					civil[noun]++
				}
				if slices.Contains(chaptersWithoutWood, code[:2]) {
					woodless[noun]++
				}
				if slices.Contains(chaptersWithoutSpecies, code[:2]) {
					lifeless[noun]++
				}
			}
		}
	}
	listed := listedWords()
	adjective := func(noun string) bool { return len(noun) < 3 || all[noun]*100 < finalShare*(all[noun]+inner[noun]) }
	maps.DeleteFunc(civil, func(noun string, n int) bool {
		return adjective(noun) || n*100 < civilShare*all[noun] || partsOfArms[noun] || listed[noun]
	})
	maps.DeleteFunc(lifeless, func(noun string, n int) bool { return adjective(noun) || n*100 < lifelessShare*all[noun] })
	maps.DeleteFunc(woodless, func(noun string, n int) bool { return adjective(noun) || n*100 < lifelessShare*all[noun] })
	want := "# Nouns of the own nomenclature, made by go test ./internal/hub/exportcontrol -update.\n" +
		"civil: " + strings.Join(slices.Sorted(maps.Keys(civil)), " ") + "\nlifeless: " + strings.Join(slices.Sorted(maps.Keys(lifeless)), " ") +
		"\nwoodless: " + strings.Join(slices.Sorted(maps.Keys(woodless)), " ") + "\n"
	if want == nounsText {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatal("nouns.txt is stale: run go test ./internal/hub/exportcontrol -update")
	}
	if err := os.WriteFile("nouns.txt", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// listedWords returns the single words for strategic goods, and all words of platforms and of parts, which end no civil name.
func listedWords() map[string]bool {
	listed := map[string]bool{}
	add := func(phrases string) {
		for p := range strings.SplitSeq(phrases, ",") {
			if words := wordsOf(p); len(words) == 1 {
				listed[words[0]] = true
			}
		}
	}
	for _, table := range [][]cue{military, torture, dualUseMatter, dualUseElectronics, dualUseAerospace} {
		for _, c := range table {
			add(c.any)
		}
	}
	for _, t := range []topic{component, weaponry, ground, naval, airborne, signals, industry} {
		add(topics[t])
	}
	return listed
}

// termsOf returns the everyday names in a chapter of the nomenclature, by code.
func termsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", file, err))
	}
	terms := map[string]string{}
	for _, r := range rows[1:] {
		terms[r[0]] = r[2]
	}
	return terms
}
