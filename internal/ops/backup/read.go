package backup

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Damaged is the error for a backup that is not as it was written.
type Damaged struct{ What string }

func (d *Damaged) Error() string { return "this is not a backup as it was made: " + d.What }

func damaged(format string, args ...any) error { return &Damaged{fmt.Sprintf(format, args...)} }

// Backup is a backup file with a valid seal.
type Backup struct {
	Manifest Manifest
	Seal     string
	files    map[string]*zip.File
}

// Open reads a whole backup. It returns *Damaged if any bit was changed.
func Open(r io.ReaderAt, size int64) (*Backup, error) {
	seal, err := checkSeal(r, size)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, damaged("it cannot be unpacked (%v)", err)
	}
	b := &Backup{Seal: seal, files: map[string]*zip.File{}}
	for _, f := range z.File {
		b.files[f.Name] = f
	}
	if b.files[manifestName] == nil || b.files[databaseName] == nil {
		return nil, damaged("there is no %s and %s in it", manifestName, databaseName)
	}
	file, err := b.files[manifestName].Open()
	if err == nil {
		b.Manifest, err = readManifest(file)
		err = errors.Join(err, file.Close())
	}
	switch {
	case b.Manifest.Format > Format:
		return nil, fmt.Errorf("backup: it has format %d, and this program knows %d. Use the newer program", b.Manifest.Format, Format)
	case err != nil:
		return nil, damaged("its manifest cannot be read (%v)", err)
	case b.Manifest.KeyInside != (b.files[keyName] != nil):
		return nil, damaged("the manifest and the files do not agree on whether the master key is in it")
	}
	return b, nil
}

// Database writes the database to out. It returns *Damaged if the database is not that of the manifest.
func (b *Backup) Database(to io.Writer) error {
	file, err := b.files[databaseName].Open()
	if err != nil {
		return damaged("the database in it cannot be unpacked (%v)", err)
	}
	defer file.Close()
	digest := sha256.New()
	content := &reading{from: file}
	size, err := io.Copy(io.MultiWriter(to, digest), content)
	switch {
	case content.err != nil:
		return damaged("the database in it cannot be unpacked (%v)", content.err)
	case err != nil:
		return fmt.Errorf("backup: unpack: %w", err)
	case size != b.Manifest.Bytes, hex.EncodeToString(digest.Sum(nil)) != b.Manifest.SHA256:
		return damaged("the database in it has %d bytes of another digest than the manifest says", size)
	}
	return nil
}

// reading separates errors of reading from errors of writing.
type reading struct {
	from io.Reader
	err  error
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != io.EOF {
		r.err = errors.Join(r.err, err)
	}
	return n, err
}

// maxKey is the maximum size of a master key in bytes.
const maxKey = 64 << 10

// Key returns the master key; nil if the backup has none.
func (b *Backup) Key() ([]byte, error) {
	if !b.Manifest.KeyInside {
		return nil, nil
	}
	file, err := b.files[keyName].Open()
	if err != nil {
		return nil, damaged("the master key in it cannot be unpacked (%v)", err)
	}
	defer file.Close()
	key, err := io.ReadAll(io.LimitReader(file, maxKey))
	if err != nil {
		return nil, damaged("the master key in it cannot be unpacked (%v)", err)
	}
	return key, nil
}
