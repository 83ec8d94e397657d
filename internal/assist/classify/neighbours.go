package classify

import (
	"cmp"
	"math"
	"slices"
)

// What features weigh, before how rare they are.
const (
	pairWeight  = 0.6
	gramWeight  = 0.25
	unseen      = 0.5 // of a feature that no text has
	nearest     = 60  // how many texts have a vote
	longestGram = 4
	faint       = 0.2 // weight of a word below which it counts as a whole alone
)

// feature is a word, a pair of words or a few letters, by its hash, with its weight.
type feature struct {
	key    uint64
	weight float64
}

// neighbours are texts that lead to codes, found by how alike they are to another.
type neighbours struct {
	texts    []labelled
	features map[uint64]int32
	rarity   []float64
	postings [][]near // by feature
	vectors  [][]entry
	exact    map[string][]int32 // texts by the words that they have
}

// near is a text that has a feature, and the feature's share in it.
type near struct {
	text  int32
	share float32
}

// entry is a feature's share in a text.
type entry struct {
	feature int32
	share   float32
}

func newNeighbours(texts []labelled) *neighbours {
	n := &neighbours{texts: texts, features: map[uint64]int32{}, vectors: make([][]entry, len(texts)), exact: map[string][]int32{}}
	var seen []float64
	for i := range texts {
		n.exact[texts[i].words] = append(n.exact[texts[i].words], int32(i))
		for _, f := range features(texts[i].terms) {
			id, known := n.features[f.key]
			if !known {
				id = int32(len(seen)) // #nosec G115 -- the tables are limited
				n.features[f.key] = id
				seen = append(seen, 0)
			}
			seen[id]++
			n.vectors[i] = append(n.vectors[i], entry{id, float32(f.weight)})
		}
	}
	n.rarity = make([]float64, len(seen))
	n.postings = make([][]near, len(seen))
	for i := range seen {
		n.rarity[i] = rarity(float64(len(texts)), seen[i])
		n.postings[i] = make([]near, 0, int(seen[i]))
	}
	for i, v := range n.vectors {
		n.normalise(v)
		for _, e := range v {
			n.postings[e.feature] = append(n.postings[e.feature], near{int32(i), e.share})
		}
	}
	return n
}

// normalise weighs a text's features by how rare they are, and gives it the length one.
func (n *neighbours) normalise(v []entry) {
	var sum float64
	for i := range v {
		w := float64(v[i].share) * n.rarity[v[i].feature]
		v[i].share = float32(w)
		sum += float64(w * w)
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i].share = float32(float64(v[i].share) / length)
	}
}

// vector is a question by the features that are known, and its length one with those that are not.
func (n *neighbours) vector(terms []term) (v []entry) {
	var sum float64
	rarest := rarity(float64(len(n.texts)), 0)
	var weights []float64
	for _, f := range features(terms) {
		id, known := n.features[f.key]
		if !known {
			w := f.weight * rarest * unseen
			sum += float64(w * w)
			continue
		}
		w := f.weight * n.rarity[id]
		sum += float64(w * w)
		v = append(v, entry{feature: id})
		weights = append(weights, w)
	}
	length := math.Sqrt(sum)
	for i, w := range weights {
		v[i].share = float32(w / length)
	}
	return v
}

// similar is a text and how alike it is, from 0 to 1.
type similar struct {
	text  *labelled
	sim   float64
	exact bool // has the same words
}

// find gives the texts that are most alike, the most alike first.
func (n *neighbours) find(terms []term) []similar {
	sims := make([]float64, len(n.texts))
	var met []int32
	for _, e := range n.vector(terms) {
		for _, p := range n.postings[e.feature] {
			if sims[p.text] == 0 {
				met = append(met, p.text)
			}
			sims[p.text] += float64(float64(e.share) * float64(p.share))
		}
	}
	same := n.exact[said(terms)]
	all := make([]similar, 0, nearest)
	for _, t := range best(met, sims) {
		all = append(all, similar{text: &n.texts[t], sim: sims[t], exact: slices.Contains(same, t)})
	}
	return all
}

// best gives the texts with the highest likeness, in its order; of two that are equally
// alike the earlier comes first.
func best(met []int32, sims []float64) []int32 {
	order := func(a, b int32) int { return cmp.Or(cmp.Compare(sims[b], sims[a]), cmp.Compare(a, b)) }
	top := make([]int32, 0, nearest+1)
	for _, t := range met {
		if len(top) == nearest && order(t, top[nearest-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, t, order)
		top = slices.Insert(top, at, t)
		top = top[:min(len(top), nearest)]
	}
	return top
}

// said are the words of a text, whatever their order.
func said(terms []term) string {
	var all []string
	for _, t := range terms {
		if !t.meant {
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

// features are the words of a text, its pairs of words, and the threes and fours of
// letters of its words, each once, in the order in which they are met.
func features(terms []term) []feature {
	all := make([]feature, 0, 12*len(terms))
	at := make(map[uint64]int, 12*len(terms))
	add := func(key uint64, weight float64) {
		if i, known := at[key]; known {
			all[i].weight = max(all[i].weight, weight)
			return
		}
		at[key] = len(all)
		all = append(all, feature{key, weight})
	}
	for i, t := range terms {
		add(hash('w', t.stem), t.weight)
		if t.meant || t.weight < faint {
			continue
		}
		if i > 0 {
			add(hash('p', terms[i-1].stem, t.stem), pairWeight*t.weight)
		}
		for size := 3; size <= longestGram; size++ {
			word := "^" + t.stem + "$"
			for from := 0; from+size <= len(word); from++ {
				add(hash('g', word[from:from+size]), gramWeight*t.weight)
			}
		}
	}
	return all
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
