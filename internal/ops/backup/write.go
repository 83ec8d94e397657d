package backup

import (
	"archive/zip"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Written is a new backup.
type Written struct {
	Manifest Manifest
	Size     int64
	Seal     string // store it elsewhere, to notice if the backup is replaced
}

// Write writes a backup of a database and, unless it is empty, the master key. It sets the size and digest of the
// database in the manifest.
func Write(to io.Writer, m Manifest, database io.Reader, key []byte) (w Written, err error) {
	s := newSealer(to)
	z := zip.NewWriter(s)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	if err := z.SetComment(strings.Repeat("-", sealLength)); err != nil {
		return w, fmt.Errorf("backup: %w", err)
	}
	m.Format, m.KeyInside, m.Key = Format, len(key) > 0, keyApart
	digest := sha256.New()
	if m.Bytes, err = add(z, databaseName, m.At, io.TeeReader(database, digest)); err != nil {
		return w, err
	}
	m.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if m.KeyInside {
		m.Key = keyInside
		if _, err := add(z, keyName, m.At, strings.NewReader(string(key))); err != nil {
			return w, err
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		_, err = add(z, manifestName, m.At, strings.NewReader(string(text)+"\n"))
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		w.Seal, err = s.seal()
	}
	if err != nil {
		return w, fmt.Errorf("backup: write: %w", err)
	}
	w.Manifest, w.Size = m, s.size
	return w, nil
}

func add(z *zip.Writer, name string, at time.Time, content io.Reader) (size int64, err error) {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
	if err == nil {
		size, err = io.Copy(w, content)
	}
	if err != nil {
		return 0, fmt.Errorf("backup: write %s: %w", name, err)
	}
	return size, nil
}
