package origin

import (
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

const publishedFolder = "../../../../shared/tariff/origin/"

// publishedFiles are what an operator would import.
var publishedFiles = []string{
	"roo_schemes_uk.json", "roo_schemes_xi.json", "rule_sets_uk.tar.gz", "rule_sets_xi_2023.tar.gz", "articles.tar.gz",
}

var readPublished = sync.OnceValues(func() (*Data, error) {
	var files []File
	for _, name := range publishedFiles {
		file, err := os.Open(publishedFolder + name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		files = append(files, File{Name: filepath.Base(name), Reader: file})
	}
	b, err := Read(files, "")
	if err != nil {
		return nil, err
	}
	d, err := build(b.documents)
	if err == nil {
		d.Version = 1
	}
	return d, err
})

// published returns the published data, or skips the test.
func published(t testing.TB) *Data {
	t.Helper()
	if _, err := os.Stat(publishedFolder); err != nil {
		t.Skip("the published rules of origin are not beside the project")
	}
	d, err := readPublished()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// At least 90 % of the published rules, counted by frequency, are understood to the last word.
func TestShareOfCompiledRules(t *testing.T) {
	d := published(t)
	for _, service := range []string{UK, XI} {
		var rules, compiled int
		for _, s := range d.Schemes(service) {
			n, c := s.Compiled()
			if rules, compiled = rules+n, compiled+c; n > 0 {
				t.Logf("%s %-26s %5d rule sets, %5d rules, %5.1f %% compiled", service, s.Code, len(s.Sets), n, share(c, n))
			}
		}
		t.Logf("%s: %d of %d rules compiled, %.2f %%", service, compiled, rules, share(compiled, rules))
		if share(compiled, rules) < 90 {
			t.Errorf("%s: %.2f %% of the rules are compiled", service, share(compiled, rules))
		}
	}
	distinct, understood := map[string]bool{}, 0
	for _, s := range d.Schemes(UK) {
		for _, set := range s.Sets {
			for _, r := range set.Rules {
				if !distinct[r.Text] && r.Compiled {
					understood++
				}
				distinct[r.Text] = true
			}
		}
	}
	t.Logf("%d of %d distinct texts, %.2f %%", understood, len(distinct), share(understood, len(distinct)))
}

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// noRates has no exchange rates.
type noRates struct{}

func (noRates) Find(string, string, string) (rates.Rate, bool) { return rates.Rate{}, false }

func pounds(text string) *Amount { return &Amount{number(text), "GBP"} }

func number(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

func is(b bool) *bool { return &b }

// complete is a question to which nothing but the rule is open.
func complete(code, country string) *Question {
	return &Question{
		Date: "2026-11-26", Service: UK, Code: code, ExportCountry: country, ExWorks: pounds("1000"), FOB: pounds("1100"), NetMass: number("100"),
		Production: Production{Country: country, Minimal: is(false), Listed: true}, Direct: is(true), Altered: is(false), Drawback: is(false),
	}
}

// One question over every scheme of the United Kingdom takes at most 5 ms.
func BenchmarkAllSchemes(b *testing.B) {
	d := published(b)
	q := complete("8517620000", "CA")
	for _, s := range d.Schemes(UK) {
		q.Schemes = append(q.Schemes, s.Code)
	}
	for _, code := range []string{"853400", "850440", "392690", "854442", "732690", "850110", "481910", "851770", "854231", "853669"} {
		q.Materials = append(q.Materials, Material{Code: code, Origin: "CN", Value: pounds("40"), NetMass: number("4"), Originating: is(false)})
	}
	b.ReportAllocs()
	for b.Loop() {
		if a := d.Answer(q, noRates{}); len(a.Schemes) != len(q.Schemes) {
			b.Fatal(len(a.Schemes))
		}
	}
}
