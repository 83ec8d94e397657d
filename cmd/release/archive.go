package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file to write.
type file struct {
	Name    string
	Data    []byte
	Program bool // executable
}

// beside are the repository's files that are released with the program.
var beside = []string{
	"README.md", "LICENSE", "CHANGELOG.md", "docs/operating.md", "docs/release.md", "docs/config.schema.json",
	"deploy/systemd/tidewaiter.service", "deploy/systemd/tidewaiter.sysusers", "deploy/systemd/tidewaiter.yaml",
}

// release makes the archive and the bill of materials of a platform.
func release(ctx context.Context, c commit, p platform) ([]file, error) {
	modules, err := modulesOf(ctx, p)
	if err != nil {
		return nil, err
	}
	program, err := p.compile(ctx, c, modules)
	if err != nil {
		return nil, err
	}
	bill, err := newSBOM(c, p, program, modules)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("tidewaiter-%s-%s-%s", c.Version, p.System, p.Machine)
	content := []file{{Name: "tidewaiter", Data: program, Program: true}, {Name: "THIRD_PARTY.txt", Data: notices(c, p, modules)}}
	for _, f := range beside {
		text, err := os.ReadFile(filepath.FromSlash(f))
		if err != nil {
			return nil, err
		}
		content = append(content, file{Name: f, Data: text})
	}
	packed, err := pack(c, name, content)
	return []file{{Name: name + ".tar.gz", Data: packed}, {Name: name + ".cdx.json", Data: bill}}, err
}

// pack makes a reproducible archive: names in order, modes by the kind of file, the commit's time.
func pack(c commit, folder string, content []file) ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	slices.SortFunc(content, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range content {
		h := tar.Header{Typeflag: tar.TypeReg, Name: path.Join(folder, f.Name), Size: int64(len(f.Data)), Mode: 0o644, ModTime: c.At, Format: tar.FormatUSTAR}
		if f.Program {
			h.Mode = 0o755
		}
		if err := archive.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	err := zipped.Close()
	return out.Bytes(), err
}

// sums are the digests of the files, in the format of sha256sum.
type sums struct{ lines []string }

func (s *sums) write(folder string, f file) error {
	digest := sha256.Sum256(f.Data)
	s.lines = append(s.lines, fmt.Sprintf("%x  %s\n", digest, f.Name))
	return os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o644) // #nosec G306 -- to be given out
}

func (s *sums) text() []byte { return []byte(strings.Join(s.lines, "")) }
