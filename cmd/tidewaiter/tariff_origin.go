package main

import (
	"bytes"
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
	opened []io.Closer
}

// Close closes the files.
func (f *tariffFiles) Close() error {
	var faults []error
	for _, c := range f.opened {
		faults = append(faults, c.Close())
	}
	return errors.Join(faults...)
}

// openTariff opens files, and those of folders. In a folder only files of rules of origin and recorded answers are used.
func openTariff(paths []string) (*tariffFiles, error) {
	f := &tariffFiles{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() {
			err = f.open(path, true)
		} else if err == nil {
			err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				return f.open(name, false)
			})
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if len(f.tables)+len(f.origin) == 0 {
		return nil, errors.Join(errors.New("there is no file to import"), f.Close())
	}
	return f, nil
}

// peeked is how many bytes of a file are read to recognise it.
const peeked = 1 << 20

// open opens a file and recognises it by its content, and articles by their path.
func (f *tariffFiles) open(path string, named bool) error {
	file, err := os.Open(path) // #nosec G304 -- the operator names it
	if err != nil {
		return err
	}
	beginning, err := io.ReadAll(io.LimitReader(file, peeked))
	if err != nil {
		return errors.Join(err, file.Close())
	}
	whole := io.MultiReader(bytes.NewReader(beginning), file)
	switch {
	case origin.Recognise(path, beginning) || origin.IsArchive(beginning):
		f.origin = append(f.origin, origin.File{Name: path, Reader: whole})
	case named || isRecording(path):
		f.tables = append(f.tables, official.File{Name: path, Reader: whole})
	default:
		return file.Close()
	}
	f.opened = append(f.opened, file)
	return nil
}

// isRecording reports whether a file has the name of a recorded answer of the tariff service.
func isRecording(path string) bool {
	_, named := recording.ParseName(filepath.Base(path))
	return named
}

// reportOrigin prints the result of an import of rules of origin, and of the tables that were imported with them, if any.
func reportOrigin(tables *official.Report, r origin.Report, err error, asJSON bool) error {
	var faulty *origin.ImportError
	switch {
	case errors.As(err, &faulty) && asJSON:
		return errors.Join(printJSON(map[string]any{"imported": false, "faults": faulty.Faults, "more": faulty.More}), err)
	case err != nil:
		return err
	case asJSON:
		answer := map[string]any{"imported": true, "origin": map[string]any{
			"version": r.Version, "documents": r.Documents, "changed": r.Changed, "schemes": r.Schemes, "ruleSets": r.Sets, "rules": r.Rules, "compiled": r.Compiled,
			"skipped": append([]string{}, r.Skipped...),
		}}
		if tables != nil {
			answer["edition"] = editionOf(tables.Edition)
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
