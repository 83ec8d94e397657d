package classify

import "slices"

// What a word counts by where it stands, and the constants of BM25.
const (
	ownWords     = 3.0
	middleWords  = 2.0 // of the lines between
	headingWords = 1.5
	chapterWords = 0.4
	saturation   = 1.6  // k1
	lengthShare  = 0.45 // b
)

// referenceWords is what a word of a text counts by the level of the code that it leads to.
var referenceWords = [levels]float64{0.6, 1, 1.5, 2}

// leaves find tips by their words (BM25F): each tip has its own words, those of the
// lines above it, and those of the texts that lead to any of them.
type leaves struct {
	words    map[string]int32
	postings [][]posting // by word, in the order of tips
}

// posting is what a word adds to a tip.
type posting struct {
	tip   int32
	score float32
}

type tally struct {
	word  int32
	count float64
}

func (x *Index) addLeaves(texts []labelled) {
	x.leaves.words = map[string]int32{}
	lines := make([][]tally, x.tree.Len())
	for i := range lines {
		lines[i] = x.leaves.tally(nil, x.lexicon.terms(x.tree.At(i).Description))
	}
	var refs [levels]map[int32][]tally
	for l := range refs {
		refs[l] = map[int32][]tally{}
	}
	for i := range texts {
		for l := ten; l >= heading; l-- {
			if c := texts[i].class[l]; c != none {
				refs[l][c] = x.leaves.tally(refs[l][c], texts[i].terms)
				break
			}
		}
	}
	x.post(lines, refs)
}

// tally counts words, each in the place where it was met first.
func (s *leaves) tally(counts []tally, terms []term) []tally {
	for _, t := range terms {
		if t.meant {
			continue
		}
		word, known := s.words[t.stem]
		if !known {
			word = int32(len(s.words)) // #nosec G115 -- the tables are limited
			s.words[t.stem] = word
		}
		at := slices.IndexFunc(counts, func(c tally) bool { return c.word == word })
		if at < 0 {
			at = len(counts)
			counts = append(counts, tally{word: word})
		}
		counts[at].count++
	}
	return counts
}

// post sums up what counts for each tip.
func (x *Index) post(lines [][]tally, refs [levels]map[int32][]tally) {
	x.leaves.postings = make([][]posting, len(x.leaves.words))
	sums := make([]float64, len(x.leaves.words))
	lengths := make([]float64, len(x.tips))
	var met []int32
	add := func(counts []tally, weight float64) {
		for _, c := range counts {
			if sums[c.word] == 0 {
				met = append(met, c.word)
			}
			sums[c.word] += float64(weight * c.count)
		}
	}
	for i := range x.tips {
		path := x.tree.Path(x.tips[i].node)
		for depth, node := range path {
			add(lines[node], fieldWeight(depth, len(path)))
		}
		for l := range levels {
			add(refs[l][x.tips[i].class[l]], referenceWords[l])
		}
		for _, w := range met {
			x.leaves.postings[w] = append(x.leaves.postings[w], posting{int32(i), float32(sums[w])})
			lengths[i] += sums[w]
			sums[w] = 0
		}
		met = met[:0]
	}
	x.leaves.weigh(x, lengths)
}

// fieldWeight is what the words of a line count for the last one of its path.
func fieldWeight(depth, length int) float64 {
	switch depth {
	case length - 1:
		return ownWords
	case 0:
		return chapterWords
	case 1:
		return headingWords
	}
	return middleWords
}

// weigh turns counts into scores. How rare a word is counts over codes of six
// digits: many lines below one say the same.
func (s *leaves) weigh(x *Index, lengths []float64) {
	var total float64
	for _, l := range lengths {
		total += l
	}
	mean := total / float64(max(1, len(lengths)))
	groups := float64(len(x.first[six]) - 1)
	for _, list := range s.postings {
		seen, last := 0.0, int32(none)
		for _, p := range list {
			if group := x.tips[p.tip].class[six]; group != last {
				seen, last = seen+1, group
			}
		}
		rare := rarity(groups, seen)
		for i, p := range list {
			count := float64(p.score)
			norm := saturation * (1 - lengthShare + float64(lengthShare*lengths[p.tip])/mean)
			list[i].score = float32(float64(rare*count*(saturation+1)) / (count + float64(norm)))
		}
	}
}

// find scores every tip and heading by the words of a question. A heading has the
// best that a word adds to a line below it, word by word.
func (s *leaves) find(x *Index, terms []term) (tips, headings []float64) {
	tips, headings = make([]float64, len(x.tips)), make([]float64, len(x.first[heading])-1)
	seen := map[string]bool{}
	for _, t := range terms {
		word, known := s.words[t.stem]
		if !known || seen[t.stem] {
			continue
		}
		seen[t.stem] = true
		in, most := int32(none), 0.0
		for _, p := range s.postings[word] {
			score := float64(t.weight * float64(p.score))
			tips[p.tip] += score
			if h := x.tips[p.tip].class[heading]; h != in {
				if in != none {
					headings[in] += most
				}
				in, most = h, 0
			}
			most = max(most, score)
		}
		if in != none {
			headings[in] += most
		}
	}
	return tips, headings
}

func (s *leaves) knows(stem string) bool {
	_, known := s.words[stem]
	return known
}

// has tells whether a word is one of a tip's.
func (s *leaves) has(stem string, tip int32) bool {
	word, known := s.words[stem]
	if !known {
		return false
	}
	_, found := slices.BinarySearchFunc(s.postings[word], tip, func(p posting, tip int32) int { return int(p.tip - tip) })
	return found
}
