package classify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"strings"
)

// bufferSize is how many bytes of a file are read and written at once.
const bufferSize = 64 << 10

var (
	errMagic    = errors.New("it is another kind of file")
	errFormat   = errors.New("its format is another one")
	errKey      = errors.New("it was made from another tariff or by another version")
	errSize     = errors.New("its size does not fit its header")
	errChecksum = errors.New("its checksum is wrong")
	errRange    = errors.New("a number is out of range")
)

// decoder reads the numbers of a file and computes their checksum. After an error it
// returns zeros; finish returns the first error.
type decoder struct {
	from   io.Reader
	buffer []byte
	at     int   // of the first unread byte in buffer
	end    int   // of the bytes in buffer
	left   int64 // bytes that may still be read from the file before its checksum
	sum    uint32
	err    error
	counts counts
}

func newDecoder(from io.Reader, size int64) *decoder {
	return &decoder{from: from, buffer: make([]byte, bufferSize), left: size}
}

func (r *decoder) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// fill makes n bytes available, n being at most bufferSize; it reports whether it did.
func (r *decoder) fill(n int) bool {
	if r.err != nil {
		return false
	}
	r.at, r.end = 0, copy(r.buffer, r.buffer[r.at:r.end])
	size := int(min(int64(len(r.buffer)-r.end), r.left)) // #nosec G115 -- at most bufferSize
	fresh := r.buffer[r.end : r.end+size]
	if _, err := io.ReadFull(r.from, fresh); err != nil {
		r.fail(err)
		return false
	}
	r.sum = crc32.Update(r.sum, castagnoli, fresh)
	r.left -= int64(size)
	if r.end += size; r.end < n {
		r.fail(errSize)
	}
	return r.err == nil
}

func (r *decoder) uint32() uint32 {
	if r.end-r.at < 4 && !r.fill(4) {
		return 0
	}
	v := binary.LittleEndian.Uint32(r.buffer[r.at:])
	r.at += 4
	return v
}

// id reads a number below limit.
func (r *decoder) id(limit int) int32 {
	v := r.uint32()
	if uint64(v) >= uint64(limit) { // #nosec G115 -- a length
		r.fail(errRange)
		return 0
	}
	return int32(v) // #nosec G115 -- below a length
}

func (r *decoder) float32() float32 { return math.Float32frombits(r.uint32()) }

// text reads a text of n bytes.
func (r *decoder) text(n uint32) string {
	var b strings.Builder
	b.Grow(int(n))
	for left := int(n); left > 0; {
		part := r.bytes(left)
		if part == nil {
			break
		}
		b.Write(part)
		left -= len(part)
	}
	return b.String()
}

// bytes reads at least one byte and at most n. The result is valid until the next call;
// it is nil after an error.
func (r *decoder) bytes(n int) []byte {
	if r.at == r.end && !r.fill(1) {
		return nil
	}
	part := r.buffer[r.at:min(r.end, r.at+n)]
	r.at += len(part)
	return part
}

// skip reads the rest of the body.
func (r *decoder) skip() {
	for r.at = r.end; r.left > 0 && r.fill(1); {
		r.at = r.end
	}
}

// header reads the header of a file, and prepares to read a body of the size that it says.
func (r *decoder) header(d Digest, info fs.FileInfo) error {
	if !r.fill(headerSize) {
		return r.err
	}
	if string(r.bytes(len(magic))) != magic {
		return errMagic
	}
	r.text(aboutSize)
	if r.uint32() != format {
		return errFormat
	}
	if key := d.key(); string(r.bytes(len(key))) != string(key[:]) {
		return errKey
	}
	for _, n := range []*uint32{
		&r.counts.examples, &r.counts.exampleBytes, &r.counts.features, &r.counts.postings,
		&r.counts.weights, &r.counts.words, &r.counts.wordBytes, &r.counts.keywordPostings,
	} {
		*n = r.uint32()
	}
	r.left = r.counts.size()
	if info.Size() > maxFile || info.Size() != int64(headerSize)+r.left+checksumSize {
		return errSize
	}
	return nil
}

// finish checks that the whole body was read and that its checksum is right.
func (r *decoder) finish() error {
	if r.err == nil && (r.left != 0 || r.at != r.end) {
		r.fail(errSize)
	}
	if r.err != nil {
		return r.err
	}
	var want uint32
	if err := binary.Read(r.from, binary.LittleEndian, &want); err != nil {
		return err
	}
	if want != r.sum {
		return fmt.Errorf("%w: %08x instead of %08x", errChecksum, r.sum, want)
	}
	return nil
}

// decode reads the body of a file into an index that has its lines and prefixes.
func (x *Index) decode(r *decoder) {
	c := r.counts
	x.examples = &examples{texts: x.decodeExamples(r), features: make(map[uint64]int32, c.features)}
	for id := range int32(c.features) { // #nosec G115 -- part of the file's size
		low, high := uint64(r.uint32()), uint64(r.uint32())
		x.examples.features[high<<32|low] = id
	}
	x.examples.postings = decodePostings(r, c.features, c.postings, len(x.examples.texts))
	x.examples.weighFeatures()
	x.countExamples(x.examples.texts)

	x.weights = &linear{lists[weight]{start: r.starts(c.features, c.weights), all: make([]weight, c.weights)}}
	for i := range x.weights.weights.all {
		x.weights.weights.all[i] = weight{r.id(x.headings()), r.float32()}
	}

	lengths := make([]uint32, c.words)
	for i := range lengths {
		lengths[i] = r.uint32()
	}
	text := r.text(c.wordBytes)
	x.keywords.words = make(map[string]int32, c.words)
	for id, n := range lengths {
		x.keywords.words[r.cut(&text, n)] = int32(id) // #nosec G115 -- part of the file's size
	}
	x.keywords.postings = decodePostings(r, c.words, c.keywordPostings, len(x.lines))
}

func (x *Index) decodeExamples(r *decoder) []example {
	all := make([]example, r.counts.examples)
	lengths := make([][2]uint32, len(all))
	for i := range all {
		for l := range levels {
			all[i].prefix[l] = r.prefix(len(x.start[l])-1, l)
		}
		lengths[i] = [2]uint32{r.uint32(), r.uint32()}
		all[i].authoritative = r.uint32() != 0
	}
	text := r.text(r.counts.exampleBytes)
	for i := range all {
		all[i].text, all[i].words = r.cut(&text, lengths[i][0]), r.cut(&text, lengths[i][1])
	}
	return all
}

// prefix reads the id of a prefix, or none below the heading.
func (r *decoder) prefix(limit, level int) int32 {
	v := int32(r.uint32()) // #nosec G115 -- none is written as the largest number
	if v == none && level != heading {
		return none
	}
	if v < 0 || int(v) >= limit {
		r.fail(errRange)
		return 0
	}
	return v
}

// cut takes n bytes from the beginning of a text.
func (r *decoder) cut(text *string, n uint32) string {
	if uint64(n) > uint64(len(*text)) {
		r.fail(errRange)
		return ""
	}
	part := (*text)[:n]
	*text = (*text)[n:]
	return part
}

// starts reads where n lists start in all of their items, and where the last one ends.
func (r *decoder) starts(n, items uint32) []int32 {
	starts, last := make([]int32, int(n)+1), int32(0)
	for i := range starts {
		starts[i] = r.id(int(items) + 1)
		if starts[i] < last {
			r.fail(errRange)
		}
		last = starts[i]
	}
	if starts[0] != 0 || uint32(last) != items { // #nosec G115 -- not negative
		r.fail(errRange)
	}
	return starts
}

func decodePostings(r *decoder, n, items uint32, limit int) lists[posting] {
	l := lists[posting]{start: r.starts(n, items), all: make([]posting, items)}
	for i := range l.all {
		l.all[i] = posting{r.id(limit), r.float32()}
	}
	return l
}
