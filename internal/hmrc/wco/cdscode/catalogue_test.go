package cdscode_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
)

// official reads the published list of codes, or skips.
func official(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "errorcodes.csv"))
	if err != nil {
		t.Skip("the published list of codes is not beside the project")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// Every code that customs has published is explained.
func TestEveryOfficialCodeIsCovered(t *testing.T) {
	rows := official(t)
	for _, row := range rows {
		e := cdscode.Explain(row[0])
		if !e.Known || e.Code != row[0] {
			t.Errorf("%s is not in the catalogue", row[0])
		}
	}
	count := 0
	for range cdscode.All() {
		count++
	}
	if count != len(rows) {
		t.Errorf("%d entries for %d codes", count, len(rows))
	}
}

// An explanation is ours: it repeats no phrase of the official list, whatever its case.
func TestExplanationsAreInOurOwnWords(t *testing.T) {
	prefix := regexp.MustCompile(`(?i)^(\w+ ){1,2}error: `)
	var sentences []string
	for _, row := range official(t) {
		for _, text := range row[1:3] {
			text = prefix.ReplaceAllString(text, "")
			sentences = append(sentences, text)
			sentences = append(sentences, regexp.MustCompile(`[.;] `).Split(text, -1)...)
		}
	}
	for e := range cdscode.All() {
		ours := strings.ToLower(e.Title + "\n" + e.Meaning + "\n" + e.Fix)
		for _, s := range sentences {
			s = strings.ToLower(strings.Trim(s, " ."))
			if strings.Contains(s, " ") && strings.Contains(ours, s) {
				t.Errorf("%s repeats %q", e.Code, s)
			}
		}
	}
}

// No two entries say the same, and none leaves anything out.
func TestEntriesAreTheirOwn(t *testing.T) {
	seen := map[string]string{}
	for e := range cdscode.All() {
		for _, text := range []string{e.Title, e.Meaning, e.Fix} {
			if other, twice := seen[text]; twice {
				t.Errorf("%s and %s both say %q", e.Code, other, text)
			}
			seen[text] = e.Code
		}
		if len(e.Title) < 8 || len(e.Title) > 72 || strings.HasSuffix(e.Title, ".") {
			t.Errorf("%s: title %q", e.Code, e.Title)
		}
		if !isSentence(e.Meaning) || !isSentence(e.Fix) {
			t.Errorf("%s: %q, %q", e.Code, e.Meaning, e.Fix)
		}
	}
}

func isSentence(s string) bool {
	return len(s) > 20 && len(s) < 320 && strings.HasSuffix(s, ".") && strings.TrimSpace(s) == s
}

// Only the credibility warning lets a declaration pass.
func TestOnlyTheCredibilityWarningIsNotBlocking(t *testing.T) {
	for e := range cdscode.All() {
		if warning := strings.HasSuffix(e.Code, "13000"); e.Blocking == warning {
			t.Errorf("%s: blocking %v", e.Code, e.Blocking)
		}
	}
	if cdscode.Explain("CDS13999").Blocking {
		t.Error("an unknown credibility check is a warning as well")
	}
}

// A well-known code gets its own explanation, written any way.
func TestExplainFindsTheEntry(t *testing.T) {
	for _, code := range []string{"CDS12046", " cds12046 "} {
		e := cdscode.Explain(code)
		if e.Code != "CDS12046" || !strings.Contains(e.Meaning, "30 days") || !e.Known {
			t.Errorf("%q: %+v", code, e)
		}
	}
	if e := cdscode.Explain("DMS12005"); e.Code != "DMS12005" || e.Meaning != cdscode.Explain("CDS12005").Meaning {
		t.Errorf("the spelling of 2018: %+v", e)
	}
}

// An unknown code gets the text of its family, which says so.
func TestUnknownCodeGetsAGeneralAnswer(t *testing.T) {
	for code, word := range map[string]string{
		"CDS10099": "100", "CDS11099": "110", "CDS12999": "12", "CDS20009": "inventory", "CDS40999": "measures",
		"CDS50999": "movement", "CDS60999": "query", "CDS70999": "licence", "CDS77999": "documents", "DMS12999": "combinations",
		"CDS99999": "no explanation", "": "no explanation", "CDS1": "no explanation", "7": "no explanation", "ZZZ": "no explanation",
	} {
		e := cdscode.Explain(code)
		if e.Known || !strings.Contains(e.Meaning, "not in the catalogue") || !strings.Contains(strings.ToLower(e.Title+e.Meaning+e.Fix), word) {
			t.Errorf("%q: %+v", code, e)
		}
		if e.Code == "" || e.Title == "" || e.Fix == "" || !e.Blocking {
			t.Errorf("%q: incomplete %+v", code, e)
		}
	}
}
