package classify

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
)

// counts are the sizes of the parts of a file's body.
type counts struct {
	examples, exampleBytes uint32
	features, postings     uint32
	weights                uint32
	words, wordBytes       uint32
	keywordPostings        uint32
}

// size is the number of bytes of a body.
func (c counts) size() int64 {
	words := int64(c.examples)*exampleWidth + int64(c.features)*2 + // keys have 64 bits
		int64(c.features) + 1 + 2*int64(c.postings) +
		int64(c.features) + 1 + 2*int64(c.weights) +
		int64(c.words) + int64(c.words) + 1 + 2*int64(c.keywordPostings)
	return 4*words + int64(c.exampleBytes) + int64(c.wordBytes)
}

// exampleWidth is the number of uint32 of an example: its prefixes, the lengths of its
// text and its words in bytes, and whether it is authoritative.
const exampleWidth = levels + 3

// encoder writes numbers. Its errors are those of Flush.
type encoder struct{ *bufio.Writer }

func (w encoder) uint32(v uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	_, _ = w.Write(b[:])
}

func (w encoder) starts(all []int32) {
	for _, v := range all {
		w.uint32(uint32(v)) // #nosec G115 -- the tables are limited
	}
}

func (w encoder) pair(id int32, weight float32) {
	w.uint32(uint32(id)) // #nosec G115 -- the tables are limited
	w.uint32(math.Float32bits(weight))
}

// encode writes the file of an index. Lines and prefixes are not in it, as they are
// quick to derive from the nomenclature.
func (x *Index) encode(to io.Writer, d Digest) error {
	sum := crc32.New(castagnoli)
	w := encoder{bufio.NewWriterSize(io.MultiWriter(to, sum), bufferSize)}
	words := x.keywords.byID()
	x.encodeHeader(w, d, words)

	for i := range x.examples.texts {
		e := &x.examples.texts[i]
		w.starts(e.prefix[:])
		w.uint32(uint32(len(e.text)))  // #nosec G115 -- the tables are limited
		w.uint32(uint32(len(e.words))) // #nosec G115 -- the tables are limited
		w.uint32(flag(e.authoritative))
	}
	for i := range x.examples.texts {
		_, _ = w.WriteString(x.examples.texts[i].text)
		_, _ = w.WriteString(x.examples.texts[i].words)
	}
	for _, key := range x.examples.keysByID() {
		w.uint32(uint32(key)) // #nosec G115 -- the low half
		w.uint32(uint32(key >> 32))
	}
	encodePostings(w, x.examples.postings)
	w.starts(x.weights.weights.start)
	for _, p := range x.weights.weights.all {
		w.pair(p.heading, p.weight)
	}
	for _, word := range words {
		w.uint32(uint32(len(word))) // #nosec G115 -- the tables are limited
	}
	for _, word := range words {
		_, _ = w.WriteString(word)
	}
	encodePostings(w, x.keywords.postings)

	if err := w.Flush(); err != nil {
		return err
	}
	return binary.Write(to, binary.LittleEndian, sum.Sum32())
}

func (x *Index) encodeHeader(w encoder, d Digest, words []string) {
	var c counts
	for i := range x.examples.texts {
		c.exampleBytes += uint32(len(x.examples.texts[i].text) + len(x.examples.texts[i].words)) // #nosec G115 -- the tables are limited
	}
	for _, word := range words {
		c.wordBytes += uint32(len(word)) // #nosec G115 -- the tables are limited
	}
	c.examples, c.features = uint32(len(x.examples.texts)), uint32(len(x.examples.features))         // #nosec G115 -- the tables are limited
	c.postings, c.weights = uint32(len(x.examples.postings.all)), uint32(len(x.weights.weights.all)) // #nosec G115 -- the tables are limited
	c.words, c.keywordPostings = uint32(len(words)), uint32(len(x.keywords.postings.all))            // #nosec G115 -- the tables are limited
	key := d.key()
	_, _ = w.WriteString(magic)
	_, _ = w.WriteString(x.about)
	w.uint32(format)
	_, _ = w.Write(key[:])
	for _, n := range []uint32{c.examples, c.exampleBytes, c.features, c.postings, c.weights, c.words, c.wordBytes, c.keywordPostings} {
		w.uint32(n)
	}
}

func encodePostings(w encoder, l lists[posting]) {
	w.starts(l.start)
	for _, p := range l.all {
		w.pair(p.id, p.weight)
	}
}

// byID returns the words in the order of their ids.
func (k *keywords) byID() []string {
	words := make([]string, len(k.words))
	for word, id := range k.words {
		words[id] = word
	}
	return words
}

// keysByID returns the keys of features in the order of their ids.
func (x *examples) keysByID() []uint64 {
	keys := make([]uint64, len(x.features))
	for key, id := range x.features {
		keys[id] = key
	}
	return keys
}
