package classification

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// candidate is a suggested code as the page shows it.
type candidate struct {
	assist.Suggestion
	Percent int
	Path    []line
	VAT     string // rates, such as 20% or 0%; empty if none is known
	Unlike  string // how it differs from the first candidate
}

// line is a line of the tariff on the way to a code.
type line struct {
	Level, Code, Text string
}

// candidates adds to suggestions what the tariff says about their codes.
func candidates(found []assist.Suggestion, in *tariff.Snapshot, day string) []candidate {
	all := make([]candidate, len(found))
	for i, s := range found {
		all[i] = candidate{Suggestion: s, Percent: int(s.Confidence*100 + 0.5), Path: pathOf(in.Tree, s), VAT: vatOf(in.Tariff, s.Code, day)}
		if i > 0 {
			all[i].Unlike = difference(all[0].Path, all[i].Path)
		}
	}
	return all
}

// Why returns the reason without the path, which the page shows line by line.
func (c candidate) Why() string {
	reason, _, _ := strings.Cut(c.Reasoning, " Path: ")
	return reason
}

// Confidence returns the tag with the probability.
func (c candidate) Confidence() page.Tag {
	const likely = 60
	t := page.Tag{Text: strconv.Itoa(c.Percent) + "% likely"}
	if c.Percent >= likely {
		t.Kind = "good"
	}
	return t
}

// pathOf returns the section, the chapter, the heading and the lines below it down to the code.
func pathOf(tree *nomenclature.Tree, s assist.Suggestion) (lines []line) {
	if number, title := nomenclature.SectionOf(s.Code); number != "" {
		lines = append(lines, line{"Section", number, title})
	}
	at, ok := tree.Find(s.Code)
	if !ok { // the code is not in the tariff in force any more
		return append(lines, line{"Code", s.Code, s.Description})
	}
	for _, i := range tree.Path(at) {
		n := tree.At(i)
		switch {
		case nomenclature.IsChapter(n.Code):
			lines = append(lines, line{"Chapter", n.Code[:2], n.Description})
		case n.Depth() <= 1 && strings.HasSuffix(n.Code, "000000"):
			lines = append(lines, line{"Heading", n.Code[:4], n.Description})
		case i == at:
			lines = append(lines, line{"Code", n.Code, n.Description})
		default:
			lines = append(lines, line{"", "", n.Description})
		}
	}
	return lines
}

// vatOf returns the VAT rates that goods of a code may have.
func vatOf(t *tariff.Tariff, code, day string) string {
	var rates []string
	for _, r := range t.VATRates(code, day) {
		rates = append(rates, strconv.Itoa(r.Rate)+"%")
	}
	return strings.Join(rates, " or ")
}

// difference says where a path leaves that of the first candidate.
func difference(first, other []line) string {
	for i := range min(len(first), len(other)) {
		if first[i] == other[i] {
			continue
		}
		level := strings.ToLower(other[i].Level)
		if level == "" {
			level = "line"
		}
		return "Another " + level + " than the first: “" + other[i].Text + "” instead of “" + first[i].Text + "”."
	}
	return ""
}
