package classify

import (
	"cmp"
	"math"
	"slices"
)

// Weights of features, before their idf.
const (
	pairWeight      = 0.6
	gramWeight      = 0.25
	unseenWeight    = 0.5 // of a feature that no example has
	nearest         = 60  // examples that a search returns
	longestGram     = 4   // letters
	typicalFeatures = 30  // of a text; the embedded nomenclature has 28 for each
	minPartial      = 0.2 // weight of a word below which its pairs and letters are left out
)

// feature is a word, a pair of words or a few letters, by its hash.
type feature struct {
	key    uint64
	weight float64
}

// examples find the texts that are similar to another one (cosine of weighted features).
type examples struct {
	texts    []example
	features map[uint64]int32 // ids by key
	postings lists[posting]   // by feature: the examples that have it
	idf      []float64        // by feature
}

// posting is an example or a line that has a feature, and the feature's weight there.
type posting struct {
	id     int32
	weight float32
}

// entry is a feature's weight in a text.
type entry struct {
	feature int32
	weight  float32
}

// collector collects examples.
type collector struct {
	*examples
	vectors lists[entry]
	seen    []int32 // examples, by feature
	found   featureSet
}

func newCollector(texts int) *collector {
	return &collector{
		examples: &examples{texts: make([]example, 0, texts), features: map[uint64]int32{}},
		vectors:  lists[entry]{start: make([]int32, 1, texts+1), all: make([]entry, 0, typicalFeatures*texts)},
	}
}

// add adds an example with its terms.
func (c *collector) add(e example, terms []term) {
	c.texts = append(c.texts, e)
	c.found.set(terms)
	for _, f := range c.found.all {
		id, known := c.features[f.key]
		if !known {
			id = int32(len(c.seen)) // #nosec G115 -- the tables are limited
			c.features[f.key] = id
			c.seen = append(c.seen, 0)
		}
		c.seen[id]++
		c.vectors.all = append(c.vectors.all, entry{id, float32(f.weight)})
	}
	c.vectors.start = append(c.vectors.start, int32(len(c.vectors.all))) // #nosec G115 -- the tables are limited
}

// finish returns the examples, and the vector of each for learning.
func (c *collector) finish() (*examples, lists[entry]) {
	x := c.examples
	x.postings = lists[posting]{start: make([]int32, len(c.seen)+1), all: make([]posting, len(c.vectors.all))}
	for id, n := range c.seen {
		x.postings.start[id+1] = x.postings.start[id] + n
	}
	x.weighFeatures()
	next := slices.Clone(x.postings.start)
	for i := range x.texts {
		v := c.vectors.of(int32(i)) // #nosec G115 -- the tables are limited
		x.normalise(v)
		for _, e := range v {
			x.postings.all[next[e.feature]] = posting{int32(i), e.weight} // #nosec G115 -- the tables are limited
			next[e.feature]++
		}
	}
	return x, c.vectors
}

// weighFeatures computes the idf of each feature from the number of its postings.
func (x *examples) weighFeatures() {
	x.idf = make([]float64, x.postings.len())
	for id := range x.idf {
		x.idf[id] = idf(float64(len(x.texts)), float64(x.postings.start[id+1]-x.postings.start[id]))
	}
}

// normalise multiplies a text's features by their idf, and scales the vector to length one.
func (x *examples) normalise(v []entry) {
	var sum float64
	for i := range v {
		w := float64(v[i].weight) * x.idf[v[i].feature]
		v[i].weight = float32(w)
		sum += float64(w * w)
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i].weight = float32(float64(v[i].weight) / length)
	}
}

// vector returns the known features of a question. The unknown ones count in its length,
// which is one with them.
func (x *examples) vector(terms []term) (v []entry) {
	var sum float64
	rarest := idf(float64(len(x.texts)), 0)
	var weights []float64
	var found featureSet
	found.set(terms)
	for _, f := range found.all {
		id, known := x.features[f.key]
		if !known {
			w := f.weight * rarest * unseenWeight
			sum += float64(w * w)
			continue
		}
		w := f.weight * x.idf[id]
		sum += float64(w * w)
		v = append(v, entry{feature: id})
		weights = append(weights, w)
	}
	length := math.Sqrt(sum)
	for i, w := range weights {
		v[i].weight = float32(w / length)
	}
	return v
}

// similar is an example and its similarity to a question, from 0 to 1.
type similar struct {
	text       *example
	similarity float64
	exact      bool // has the same set of words
}

// find returns the most similar examples, the most similar one first.
func (x *examples) find(terms []term) []similar {
	similarity := make([]float64, len(x.texts))
	var touched []int32
	for _, e := range x.vector(terms) {
		for _, p := range x.postings.of(e.feature) {
			if similarity[p.id] == 0 {
				touched = append(touched, p.id)
			}
			similarity[p.id] += float64(float64(e.weight) * float64(p.weight))
		}
	}
	words := wordSetKey(terms)
	all := make([]similar, 0, nearest)
	for _, t := range best(touched, similarity) {
		all = append(all, similar{text: &x.texts[t], similarity: similarity[t], exact: x.texts[t].words == words})
	}
	return all
}

// best returns the ids with the highest similarity in descending order; of two with the
// same similarity the lower id comes first.
func best(ids []int32, similarity []float64) []int32 {
	order := func(a, b int32) int { return cmp.Or(cmp.Compare(similarity[b], similarity[a]), cmp.Compare(a, b)) }
	top := make([]int32, 0, nearest+1)
	for _, id := range ids {
		if len(top) == nearest && order(id, top[nearest-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, id, order)
		top = slices.Insert(top, at, id)
		top = top[:min(len(top), nearest)]
	}
	return top
}

// wordSetKey writes the set of a text's own words, without their order.
func wordSetKey(terms []term) string {
	var all []string
	for _, t := range terms {
		if !t.implied {
			all = append(all, t.stem)
		}
	}
	slices.Sort(all)
	key := ""
	for _, s := range slices.Compact(all) {
		key += s + " "
	}
	return key
}

// featureSet holds the features of a text, each once, in the order in which they occur.
// It can be used for one text after the other.
type featureSet struct {
	all []feature
	at  map[uint64]int // places in all, by key
}

// set replaces the features by those of a text: its words, its pairs of words, and the
// sequences of three and four letters in its words.
func (s *featureSet) set(terms []term) {
	const large = 1000 // to clear a large map for each text is slow
	if s.all = s.all[:0]; s.at == nil || len(s.at) > large {
		s.at = make(map[uint64]int, 12*len(terms))
	}
	clear(s.at)
	for i, t := range terms {
		s.add(hash('w', t.stem), t.weight)
		if t.implied || t.weight < minPartial {
			continue
		}
		if i > 0 {
			s.add(hash('p', terms[i-1].stem, t.stem), pairWeight*t.weight)
		}
		word := "^" + t.stem + "$"
		for size := 3; size <= longestGram; size++ {
			for from := 0; from+size <= len(word); from++ {
				s.add(hash('g', word[from:from+size]), gramWeight*t.weight)
			}
		}
	}
}

func (s *featureSet) add(key uint64, weight float64) {
	if i, known := s.at[key]; known {
		s.all[i].weight = max(s.all[i].weight, weight)
		return
	}
	s.at[key] = len(s.all)
	s.all = append(s.all, feature{key, weight})
}

// hash is FNV-1a of a kind of feature and its words.
func hash(kind byte, words ...string) uint64 {
	const offset, prime uint64 = 14695981039346656037, 1099511628211
	h := (offset ^ uint64(kind)) * prime
	for _, w := range words {
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * prime
		}
		h = (h ^ ' ') * prime
	}
	return h
}
