package classify

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// learningVersion is the version of everything between the sources and the index: word
// splitting, features, weights and learning. Increase it when the same sources give
// another index; TestFileOfThisVersion fails otherwise.
const learningVersion = 1

// An index file has a header, a body and a checksum. Numbers are little-endian.
//
//	magic      8 bytes
//	about      aboutSize bytes, how the index was made, in words
//	format     uint32
//	key        32 bytes, SHA-256 of learningVersion, the lexicon and the sources
//	counts     8 uint32, see counts
//	body       see (*Index).encode
//	checksum   uint32, CRC-32C of all of the above
const (
	magic        = "TWINDEX\n"
	format       = 2
	aboutSize    = 504 // bytes, padded with newlines
	headerSize   = len(magic) + aboutSize + 4 + sha256.Size + 4*8
	checksumSize = 4
	maxFile      = 1 << 29 // bytes; the largest tariff needs about 50 MB
)

// ErrUnusable is the error of a file that is not a whole index of the same sources.
var ErrUnusable = errors.New("classify: not an index of this program and tariff")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Digest identifies the sources of an index by their content.
type Digest [sha256.Size]byte

// Digest returns the digest of the sources.
func (s Sources) Digest() Digest {
	h := sha256.New()
	for i := range s.Tree.Len() {
		n := s.Tree.At(i)
		write(h, n.Code, n.Suffix, n.Description)
		write(h, n.Terms...)
		_ = binary.Write(h, binary.LittleEndian, []uint32{uint32(n.Depth()), flag(n.Declarable)}) // #nosec G115 -- a depth is small
	}
	for _, texts := range [][]nomenclature.Text{s.Words, s.References, s.Labelled} {
		write(h) // the number of texts is in the digest by the marks between the lists
		for _, t := range texts {
			write(h, t.Text, t.Code)
		}
	}
	return Digest(h.Sum(nil))
}

// write hashes strings so that other strings cannot give the same bytes.
func write(h io.Writer, all ...string) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(all))) // #nosec G115 -- the tables are limited
	_, _ = h.Write(n[:])
	for _, s := range all {
		binary.LittleEndian.PutUint32(n[:], uint32(len(s))) // #nosec G115 -- the tables are limited
		_, _ = h.Write(n[:])
		_, _ = h.Write([]byte(s))
	}
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// key is the key of a file whose sources have a digest.
func (d Digest) key() [sha256.Size]byte {
	h := sha256.New()
	write(h, fmt.Sprint(learningVersion), tradeWords, brandWords, string(d[:]))
	return [sha256.Size]byte(h.Sum(nil))
}

// about says in words how an index of sources is made, and how its constants were fitted.
func about(s Sources) string {
	text := fmt.Sprintf("Index of Tidewaiter's commodity classifier, made by version %d of its learning from %s:\n"+
		"%d lines of the nomenclature, %d texts in everyday words, %d search terms of the publisher, %d descriptions with a chosen code.\n"+
		"Weights of words are learned from these texts alone. The constants of ranking and confidence are in the program; make fit repeats their fit.\n",
		learningVersion, cmp.Or(s.Edition, "a tariff"), s.Tree.Len(), len(s.Words), len(s.References), len(s.Labelled))
	return fmt.Sprintf("%.*s", aboutSize, text+strings.Repeat("\n", aboutSize))
}

// Save writes the index to a file. The file appears whole or not at all. The digest is
// that of the index's sources.
func (x *Index) Save(path string, d Digest) error {
	name := path + ".new"                                                      // one name, so that a crash leaves one draft at most
	draft, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // #nosec G304 -- in the data folder
	if err != nil {
		return fmt.Errorf("classify: %w", err)
	}
	err = x.encode(draft, d)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return fmt.Errorf("classify: %w", errors.Join(err, os.Remove(name)))
	}
	return nil
}

// Load reads the index of sources with a digest from a file: of the sources it needs the
// tree, and to know which others are not empty. The error is ErrUnusable if the file
// belongs to other sources or to another version of the program, or is damaged.
func Load(path string, d Digest, s Sources) (*Index, error) {
	file, r, err := open(path, d)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	x := newIndex(s)
	x.decode(r)
	if err := r.finish(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnusable, path, err)
	}
	return x, nil
}

// Verify checks that Load can read a file, without holding the index in memory.
func Verify(path string, d Digest) error {
	file, r, err := open(path, d)
	if err != nil {
		return err
	}
	defer file.Close()
	r.skip()
	if err := r.finish(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnusable, path, err)
	}
	return nil
}

// open opens a file, and checks its header and its size.
func open(path string, d Digest) (*os.File, *decoder, error) {
	file, err := os.Open(path) // #nosec G304 -- in the data folder
	if err != nil {
		return nil, nil, fmt.Errorf("classify: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	r := newDecoder(file, int64(headerSize))
	if err := r.header(d, info); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%w: %s: %w", ErrUnusable, path, err), file.Close())
	}
	return file, r, nil
}
