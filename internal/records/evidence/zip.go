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

// zipWriter writes a ZIP and records the digest of each file.
type zipWriter struct {
	zip   *zip.Writer
	at    time.Time // time of files without a time of their own
	files []fileEntry
	bytes int64
}

// fileEntry is a file in the manifest.
type fileEntry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func newZipWriter(w io.Writer, at time.Time) *zipWriter {
	return &zipWriter{zip: zip.NewWriter(w), at: at}
}

// add writes a file; with a zero time it gets the time of the pack.
func (b *zipWriter) add(name string, at time.Time, content []byte) error {
	return b.stream(name, at, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// stream writes a file piece by piece.
func (b *zipWriter) stream(name string, at time.Time, write func(io.Writer) error) error {
	if at.IsZero() {
		at = b.at
	}
	out, err := b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()})
	if err != nil {
		return err
	}
	m := &hashWriter{out: out, sum: sha256.New(), left: maxBytes - b.bytes}
	if err := write(m); err != nil {
		return err
	}
	b.bytes += m.n
	b.files = append(b.files, fileEntry{name, m.n, hex.EncodeToString(m.sum.Sum(nil))})
	return nil
}

func (b *zipWriter) close() error { return b.zip.Close() }

// hashWriter counts and hashes what is written.
type hashWriter struct {
	out     io.Writer
	sum     hash.Hash
	n, left int64
}

var errTooLarge = errors.New("evidence: the pack has more than 1 GiB")

func (m *hashWriter) Write(p []byte) (int, error) {
	if m.n += int64(len(p)); m.n > m.left {
		return 0, errTooLarge
	}
	_, _ = m.sum.Write(p)
	return m.out.Write(p)
}
