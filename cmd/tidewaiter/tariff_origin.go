package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// tariffFiles are the files of an import by what they are.
type tariffFiles struct {
	tables []official.File
	origin []origin.File
}

// openTariff finds files, and those of folders. Of a folder, files of other kinds are left out; a file that the operator names
// must be of a known kind.
func openTariff(paths []string) (*tariffFiles, error) {
	f := &tariffFiles{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() {
			err = f.add(path, true)
		} else if err == nil {
			err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				return f.add(name, false)
			})
		}
		if err != nil {
			return nil, err
		}
	}
	if len(f.tables)+len(f.origin) == 0 {
		return nil, errors.New("there is no file to import")
	}
	return f, nil
}

// How many bytes of a file are read to recognise it: of a table its header, and a document whole, since its kind can stand at its
// end.
const (
	maxRecognised = 32 << 20
	maxHeader     = 64 << 10
)

// recognisable returns what is needed of a file to recognise it.
func recognisable(file io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(file, maxHeader))
	start := bytes.TrimLeft(content, "\ufeff \t\r\n")
	if err != nil || !bytes.HasPrefix(start, []byte("{")) && !bytes.HasPrefix(start, []byte("[")) {
		return content, err
	}
	rest, err := io.ReadAll(io.LimitReader(file, maxRecognised-maxHeader))
	return append(content, rest...), err
}

// add recognises a file by its content, and articles by their path.
func (f *tariffFiles) add(path string, named bool) error {
	file, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	content, err := recognisable(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	switch {
	case origin.Recognise(path, content) || origin.IsArchive(content):
		f.origin = append(f.origin, origin.File{Name: path, Reader: &lazyFile{path: path}, Found: !named})
	case named || isRecording(path) || official.Recognise(content):
		f.tables = append(f.tables, official.File{Name: path, Reader: &lazyFile{path: path}})
	}
	return nil
}

// isRecording reports whether a file has the name of a recorded answer of the tariff service.
func isRecording(path string) bool {
	_, named := recording.ParseName(filepath.Base(path))
	return named
}

// lazyFile opens a file when it is read and closes it at its end, since a folder may have more files than can be open.
type lazyFile struct {
	path string
	file *os.File
	done bool
}

// Read reads the file.
func (l *lazyFile) Read(p []byte) (n int, err error) {
	if l.done {
		return 0, io.EOF
	}
	if l.file == nil {
		if l.file, err = os.Open(l.path); err != nil { // #nosec G304 -- the operator names it
			return 0, err
		}
	}
	if n, err = l.file.Read(p); err != nil {
		l.done = true
		err = cmp.Or(err, l.file.Close())
	}
	return n, err
}

// reportOrigin prints the result of an import of rules of origin, and of the tables that were imported with them, if any.
func reportOrigin(tables *official.Report, files []official.File, r origin.Report, err error, asJSON bool) error {
	switch {
	case err != nil:
		return printImportError(err, asJSON)
	case asJSON:
		answer := map[string]any{"imported": true}
		if tables != nil {
			answer = importedOf(*tables, files)
		}
		answer["origin"] = map[string]any{
			"version": r.Version, "documents": r.Documents, "changed": r.Changed, "schemes": r.Schemes, "ruleSets": r.Sets, "rules": r.Rules, "compiled": r.Compiled,
			"skipped": append([]string{}, r.Skipped...),
		}
		return printJSON(answer)
	}
	if tables != nil {
		printEdition(tables.Edition)
	}
	fmt.Printf("Rules of origin, version %d: %d of %d files are new or changed. %d schemes with %d rule sets are held; %d of %d rules are understood.\n",
		r.Version, r.Changed, r.Documents, r.Schemes, r.Sets, r.Compiled, r.Rules)
	fmt.Println("Running services use them within seconds.")
	return nil
}

// printOrigin prints which rules of origin are held.
func printOrigin(d *origin.Data) {
	if d.Version == 0 {
		fmt.Println("No rules of origin are held.")
		return
	}
	fmt.Printf("Rules of origin, version %d, imported %s\n", d.Version, audit.Instant(d.ImportedAt))
	for _, s := range d.Status() {
		fmt.Printf("  %s %-26s  %5d rule sets  %5d of %5d rules understood  %3d articles  (%s)\n", s.Service, s.Scheme, s.Sets, s.Compiled, s.Rules, s.Articles, s.Title)
	}
}
