package classify

import "slices"

// Weights of a word by the line that it is in, and the constants of BM25.
const (
	ownWords     = 3.0
	middleWords  = 2.0 // of the lines between
	headingWords = 1.5
	chapterWords = 0.4
	saturation   = 1.6  // k1
	lengthShare  = 0.45 // b
)

// exampleWords is the weight of a word of an example, by the level of the example's code.
var exampleWords = [levels]float64{0.6, 1, 1.5, 2}

// keywords find lines by their words (BM25F). A line has its own words, those of the
// lines above it, and those of the examples for any of them.
type keywords struct {
	words    map[string]int32 // ids by stem
	postings lists[posting]   // by word: the lines that have it, in their order
}

type wordCount struct {
	word  int32
	count float64
}

// wordCounts are the words of nodes, and those of examples by the last prefix of their code.
type wordCounts struct {
	words    *keywords
	nodes    [][]wordCount
	prefixes [levels]map[int32][]wordCount
}

// countNodeWords counts the words of the nomenclature.
func (x *Index) countNodeWords(pause func() error) (*wordCounts, error) {
	x.keywords.words = map[string]int32{}
	c := &wordCounts{words: &x.keywords, nodes: make([][]wordCount, x.tree.Len())}
	for i := range c.nodes {
		if err := everyFew(i, pause); err != nil {
			return nil, err
		}
		c.nodes[i] = x.keywords.count(nil, x.lexicon.terms(x.tree.At(i).Description))
	}
	for l := range c.prefixes {
		c.prefixes[l] = map[int32][]wordCount{}
	}
	return c, nil
}

// add counts the words of an example.
func (c *wordCounts) add(e example, terms []term) {
	for l := ten; l >= heading; l-- {
		if id := e.prefix[l]; id != none {
			c.prefixes[l][id] = c.words.count(c.prefixes[l][id], terms)
			return
		}
	}
}

// count adds the words of a text to counts, in the order in which each occurred first.
func (k *keywords) count(counts []wordCount, terms []term) []wordCount {
	for _, t := range terms {
		if t.implied {
			continue
		}
		word, known := k.words[t.stem]
		if !known {
			word = int32(len(k.words)) // #nosec G115 -- the tables are limited
			k.words[t.stem] = word
		}
		at := slices.IndexFunc(counts, func(c wordCount) bool { return c.word == word })
		if at < 0 {
			at = len(counts)
			counts = append(counts, wordCount{word: word})
		}
		counts[at].count++
	}
	return counts
}

// addPostings adds up the weighted counts of words for each line, and scores them.
func (x *Index) addPostings(words *wordCounts, pause func() error) error {
	postings := make([][]posting, len(x.keywords.words))
	sums := make([]float64, len(x.keywords.words))
	lengths := make([]float64, len(x.lines))
	var touched []int32
	add := func(counts []wordCount, weight float64) {
		for _, c := range counts {
			if sums[c.word] == 0 {
				touched = append(touched, c.word)
			}
			sums[c.word] += float64(weight * c.count)
		}
	}
	for i := range x.lines {
		if err := everyFew(i, pause); err != nil {
			return err
		}
		path := x.tree.Path(x.lines[i].node)
		for depth, node := range path {
			add(words.nodes[node], nodeWeight(depth, len(path)))
		}
		for l := range levels {
			add(words.prefixes[l][x.lines[i].prefix[l]], exampleWords[l])
		}
		for _, w := range touched {
			postings[w] = append(postings[w], posting{int32(i), float32(sums[w])})
			lengths[i] += sums[w]
			sums[w] = 0
		}
		touched = touched[:0]
	}
	x.keywords.postings = joined(postings)
	x.scorePostings(lengths)
	return nil
}

// nodeWeight is the weight of the words of a node for the last one of its path.
func nodeWeight(depth, length int) float64 {
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

// scorePostings turns counts into BM25 scores. The idf of a word is by codes of six
// digits, because many lines below one such code repeat its words.
func (x *Index) scorePostings(lengths []float64) {
	var total float64
	for _, l := range lengths {
		total += l
	}
	mean := total / float64(max(1, len(lengths)))
	groups := float64(len(x.start[six]) - 1)
	for word := range x.keywords.postings.len() {
		list := x.keywords.postings.of(int32(word)) // #nosec G115 -- the tables are limited
		seen, last := 0.0, int32(none)
		for _, p := range list {
			if group := x.lines[p.id].prefix[six]; group != last {
				seen, last = seen+1, group
			}
		}
		rare := idf(groups, seen)
		for i, p := range list {
			count := float64(p.weight)
			norm := saturation * (1 - lengthShare + float64(lengthShare*lengths[p.id])/mean)
			list[i].weight = float32(float64(rare*count*(saturation+1)) / (count + float64(norm)))
		}
	}
}

// find scores every line and heading by the words of a question. For a heading each word
// counts with its best score among the heading's lines.
func (k *keywords) find(x *Index, terms []term) (lines, headings []float64) {
	lines, headings = make([]float64, len(x.lines)), make([]float64, x.headings())
	seen := map[string]bool{}
	for _, t := range terms {
		word, known := k.words[t.stem]
		if !known || seen[t.stem] {
			continue
		}
		seen[t.stem] = true
		in, most := int32(none), 0.0
		for _, p := range k.postings.of(word) {
			score := float64(t.weight * float64(p.weight))
			lines[p.id] += score
			if h := x.lines[p.id].prefix[heading]; h != in {
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
	return lines, headings
}

func (k *keywords) contains(stem string) bool {
	_, known := k.words[stem]
	return known
}

// lineHas reports whether a line has a word.
func (k *keywords) lineHas(stem string, line int32) bool {
	word, known := k.words[stem]
	if !known {
		return false
	}
	_, found := slices.BinarySearchFunc(k.postings.of(word), line, func(p posting, line int32) int { return int(p.id - line) })
	return found
}
