package evidence

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"time"
)

// bundle is a ZIP on its way out, that knows the digest of each of its files.
type bundle struct {
	zip   *zip.Writer
	at    time.Time // of files that have none of their own
	files []packed
	bytes int64
}

// packed is a file of the manifest.
type packed struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func newBundle(w io.Writer, at time.Time) *bundle { return &bundle{zip: zip.NewWriter(w), at: at} }

// add puts a file in; a zero time is that of the pack.
func (b *bundle) add(name string, at time.Time, content []byte) error {
	return b.stream(name, at, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// stream puts a file in while it is made.
func (b *bundle) stream(name string, at time.Time, write func(io.Writer) error) error {
	if at.IsZero() {
		at = b.at
	}
	out, err := b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()})
	if err != nil {
		return err
	}
	m := &measured{out: out, sum: sha256.New(), left: maxBytes - b.bytes}
	if err := write(m); err != nil {
		return err
	}
	b.bytes += m.n
	b.files = append(b.files, packed{name, m.n, hex.EncodeToString(m.sum.Sum(nil))})
	return nil
}

func (b *bundle) close() error { return b.zip.Close() }

// measured counts and digests what is written.
type measured struct {
	out     io.Writer
	sum     hash.Hash
	n, left int64
}

var errTooLarge = errors.New("evidence: the pack has more than 1 GiB")

func (m *measured) Write(p []byte) (int, error) {
	if m.n += int64(len(p)); m.n > m.left {
		return 0, errTooLarge
	}
	_, _ = m.sum.Write(p)
	return m.out.Write(p)
}
