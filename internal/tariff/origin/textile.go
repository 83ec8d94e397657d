package origin

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Products of chapters 50 to 63 have their tolerances in the introductory notes of the agreement, and only rules that refer to a
// note have them. The texts differ from agreement to agreement in their numbers and percentages; each is read for itself.

// textileNotes are the tolerances that the introductory notes of a scheme have for textile products.
type textileNotes struct {
	mixed  textileNote // for products of two or more basic textile materials: a share of the weight of all of those
	madeUp textileNote // for made-up products: textile materials of another heading
	text   string      // both, as published
}

// textileNote is a tolerance of an introductory note.
type textileNote struct {
	number    int      // of the note; 0 if the scheme has none that can be read
	percent   *big.Rat // at most
	bases     []Base   // of which it is a share, one of them is enough; Mass is that of the textile materials
	linings   bool     // linings and interlinings are excepted
	trimmings bool     // for trimmings and accessories only
}

// The forms of the notes, on one line and in lower case.
var (
	noteHeading = lazyregexp.New(`(?im)^[#*\s]*note\s+(\d{1,2})\b`)
	mixedWeight = lazyregexp.New(`basic textile materials,? (?:which are )?used in the (?:manufacture|production) of (?:this|that|the) (?:product|good),?(?: and)?,? which, taken together, represent (\d+(?:\.\d+)?)% or less of the total weight of all the basic textile materials used`)
	mixedShare  = lazyregexp.New(`the weight of the non-originating basic textile materials, taken together, does not exceed (\d+(?:\.\d+)?)% of the total weight of all the basic textile materials used`)
	madeUpValue = lazyregexp.New(`textile materials(,? ?\(?,?with the exceptions? of linings and interlinings,?\)?)?,? (?:which|that) do not satisfy [^.]{0,160}?may be used,? provided that they are classified (?:in|under) a heading other than that of the (?:product|good),? and (?:provided )?(?:that )+their value does not exceed (\d+(?:\.\d+)?|eight)(?:%| percent) of the (ex-works price|exw or fob|exw)\b`)
	trimWeight  = lazyregexp.New(`trimmings and accessories[^.]{0,200}?may be used,? provided that their weight does not exceed (\d+(?:\.\d+)?)% of the total weight of all the textile materials incorporated`)
	percentWord = lazyregexp.New(`(\d) percent\b`)
)

// textileNotesOf reads the tolerances of the introductory notes of a scheme.
func textileNotesOf(text string) textileNotes {
	var n textileNotes
	var texts []string
	places := noteHeading.FindAllStringSubmatchIndex(text, -1)
	for i, at := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		section := text[at[0]:end]
		if n.read(percentWord.ReplaceAllString(flatten(section), "$1%"), text[at[2]:at[3]]) {
			texts = append(texts, shown(section))
		}
	}
	n.text = strings.Join(texts, "\n\n")
	return n
}

// read reads a note and reports whether it has a tolerance.
func (n *textileNotes) read(flat, number string) bool {
	nr, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	found := false
	for _, form := range []*lazyregexp.Regexp{mixedWeight, mixedShare} {
		if m := form.FindStringSubmatch(flat); m != nil {
			n.mixed, found = textileNote{number: nr, percent: percent(m[1]), bases: []Base{Mass}}, true
		}
	}
	if m := madeUpValue.FindStringSubmatch(flat); m != nil {
		share := percent(strings.Replace(m[2], "eight", "8", 1))
		n.madeUp, found = textileNote{number: nr, percent: share, bases: []Base{ExWorks}, linings: m[1] != ""}, true
		if strings.Contains(m[3], "fob") {
			n.madeUp.bases = append(n.madeUp.bases, FOB)
		}
	} else if m := trimWeight.FindStringSubmatch(flat); m != nil {
		n.madeUp, found = textileNote{number: nr, percent: percent(m[1]), bases: []Base{Mass}, trimmings: true}, true
	}
	return found
}

// noteNumbers finds the numbers of the notes that a rule refers to.
var noteNumbers = lazyregexp.New(`introductory notes? ((?:\d[\d.]*(?:, | and | or )?)+)`)

// notesOf returns the numbers of the introductory notes that a normalised rule refers to; 7 for "notes 7.1 and 7.3".
func notesOf(normalised string) (all []int) {
	for _, m := range noteNumbers.FindAllStringSubmatch(normalised, -1) {
		for _, number := range wholeNumber.FindAllStringSubmatch(m[1], -1) {
			if n, err := strconv.Atoi(number[1]); err == nil && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

var wholeNumber = lazyregexp.New(`(\d+)[\d.]*`)

// Ranges of headings that say what textile materials are made of.
var (
	// basicMaterials are the basic textile materials of the notes: fibres and yarns, and products of heading 5605. Whether a fabric can be
	// one, the notes leave open.
	basicMaterials = []Range{{"5001", "5006"}, {"5101", "5110"}, {"5201", "5207"}, {"5301", "5308"}, {"5401", "5406"}, {"5501", "5511"}, {"5605", "5605"}}
	// basicTextiles are of basic textile materials through and through, so that their weight counts: those, and woven fabrics. Others may
	// be coated, filled or have trimmings.
	basicTextiles = []Range{{"5001", "5516"}, {"5605", "5605"}}
	// perhapsBasic are headings outside of chapters 50 to 63 in which the notes have horsehair, paper, glass and metal fibres.
	perhapsBasic = []Range{{"0511", "0511"}, {"4701", "4823"}, {"7019", "7019"}, {"7201", "8311"}}
	// fibresAndYarns are no fabrics, so that they are neither linings nor interlinings.
	fibresAndYarns = []Range{
		{"5001", "5006"}, {"5101", "5110"}, {"5201", "5207"}, {"5301", "5308"}, {"5401", "5406"}, {"5501", "5511"}, {"5604", "5607"},
	}
	// plainYarns are fibres and yarns that are neither polyurethane yarn nor metallised strip, for which the notes have 20 and 30 %.
	plainYarns = []Range{{"5001", "5006"}, {"5101", "5110"}, {"5201", "5207"}, {"5301", "5308"}, {"5401", "5401"}, {"5403", "5403"}, {"5501", "5511"}}
	// textileKinds are headings that certainly have a basic textile material which those of the other kinds lack as their main one:
	// the heading goes by the material that predominates (note 2 to section XI of the Harmonised System).
	textileKinds = [][]Range{
		{{"5001", "5007"}}, // silk
		{{"5101", "5101"}, {"5106", "5107"}, {"5111", "5112"}}, // wool, or hair like it
		{{"5201", "5212"}}, // cotton
		{{"5301", "5301"}, {"5306", "5306"}, {"5309", "5309"}}, // flax
		{{"5302", "5302"}}, // true hemp
		{{"5303", "5303"}, {"5307", "5307"}, {"5310", "5310"}},                                     // jute and other bast fibres
		{{"5402", "5402"}, {"5404", "5404"}, {"5407", "5407"}},                                     // synthetic filaments
		{{"5403", "5403"}, {"5405", "5405"}, {"5408", "5408"}},                                     // artificial filaments
		{{"5501", "5501"}, {"5503", "5503"}, {"5506", "5506"}, {"5509", "5509"}, {"5512", "5515"}}, // synthetic staple fibres
		{{"5502", "5502"}, {"5504", "5504"}, {"5507", "5507"}, {"5510", "5510"}, {"5516", "5516"}}, // artificial staple fibres
		{{"5605", "5605"}}, // metallised yarn
	}
)

// mixedProduct reports whether the product certainly is of two or more basic textile materials.
func (c *check) mixedProduct() bool {
	kinds := map[int]bool{}
	for _, g := range c.goods {
		for kind, codes := range textileKinds {
			if inRanges(codes, g.code) == yes {
				kinds[kind] = true
			}
		}
	}
	return len(kinds) > 1
}
