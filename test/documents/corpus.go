package documents

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Corpus is the folder with invoices of the public ZUGFeRD corpus, seen from the project's root. Each PDF carries its
// own content as XML.
const Corpus = "../shared/documents/invoices"

// ErrNoCorpus says that the folder is missing.
var ErrNoCorpus = errors.New("the invoices of the ZUGFeRD corpus are not at " + Corpus)

// Invoices returns the invoices of the corpus with what their XML says and their page shows. The half whose names'
// SHA-256 begins with an odd byte is held apart: its documents were not looked at during development, only its totals.
func Invoices(folder string) ([]Sample, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, ErrNoCorpus
	}
	var all []Sample
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(filepath.Base(name), ".pdf")
		want, err := attached(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // two files have no XML
		}
		if err != nil {
			return nil, fmt.Errorf("documents: %s: %w", base, err)
		}
		all = append(all, Sample{Name: base, Type: "invoice", Format: "pdf", File: file, Want: want, Held: sha256.Sum256([]byte(base))[0]%2 == 1})
	}
	return all, nil
}

// attached returns the values of the XML in a PDF that its pages show.
func attached(file []byte) (map[string]string, error) {
	root := embeddedXML(file)
	if root == nil {
		return nil, fs.ErrNotExist
	}
	page, err := pageText(context.Background(), file)
	if err != nil {
		return nil, err
	}
	return page.shown(truth(root)), nil
}

// streamStart matches the word that begins the data of a stream, and not that which ends it.
var streamStart = regexp.MustCompile(`[^d]stream\r?\n`)

// maxAttachment is the size of an attachment that is read.
const maxAttachment = 4 << 20

// embeddedXML returns the invoice in a PDF's streams.
func embeddedXML(file []byte) []byte {
	for _, at := range streamStart.FindAllIndex(file, -1) {
		data := file[at[1]:]
		if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
			data, _ = io.ReadAll(io.LimitReader(z, maxAttachment))
		} else if end := bytes.Index(data, []byte("endstream")); end >= 0 {
			data = data[:end]
		}
		head := data[:min(len(data), 6000)]
		if bytes.Contains(head, []byte("CrossIndustry")) && bytes.Contains(data, []byte("ID>")) && !bytes.Contains(head, []byte("<x:xmpmeta")) {
			return data
		}
	}
	return nil
}
