package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// A seal is the comment at the end of the ZIP file: the digest of all bytes before it.
const (
	sealWord   = "sha256:"
	sealLength = len(sealWord) + 2*sha256.Size
)

func sealOf(digest []byte) string { return sealWord + hex.EncodeToString(digest) }

// sealer writes a ZIP file whose comment has the length of a seal, and replaces it by the seal.
type sealer struct {
	to     io.Writer
	digest hash.Hash
	last   []byte // the last bytes, which the seal may replace
	size   int64
}

func newSealer(to io.Writer) *sealer { return &sealer{to: to, digest: sha256.New()} }

// Write holds back as many bytes as a seal has.
func (s *sealer) Write(p []byte) (int, error) {
	s.last = append(s.last, p...)
	ready := max(0, len(s.last)-sealLength)
	s.digest.Write(s.last[:ready])
	n, err := s.to.Write(s.last[:ready])
	s.size += int64(n)
	s.last = append(s.last[:0], s.last[ready:]...)
	return len(p), err
}

// seal writes the seal instead of the bytes that were held back.
func (s *sealer) seal() (string, error) {
	text := sealOf(s.digest.Sum(nil))
	n, err := io.WriteString(s.to, text)
	s.size += int64(n)
	return text, err
}

// checkSeal reads a whole file and checks its seal.
func checkSeal(r io.ReaderAt, size int64) (seal string, err error) {
	if size <= int64(sealLength) {
		return "", damaged("it is cut short, or no backup")
	}
	end := make([]byte, sealLength)
	if _, err := r.ReadAt(end, size-int64(sealLength)); err != nil && err != io.EOF {
		return "", fmt.Errorf("backup: read: %w", err)
	}
	if string(end[:len(sealWord)]) != sealWord {
		return "", damaged("there is no seal at its end: it is cut short, or no backup")
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, io.NewSectionReader(r, 0, size-int64(sealLength))); err != nil {
		return "", fmt.Errorf("backup: read: %w", err)
	}
	if seal = sealOf(digest.Sum(nil)); seal != string(end) {
		return "", damaged("its bytes are not those that were written: the seal at its end is of others")
	}
	return seal, nil
}
