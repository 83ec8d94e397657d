package origin

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
)

// Store stores the imports for all processes of the service.
type Store interface {
	// OriginStamp returns version and instant of the latest import; zero values for none.
	OriginStamp(ctx context.Context) (version int64, at time.Time, err error)
	// OriginImports returns all imports, the earliest first.
	OriginImports(ctx context.Context) ([]Import, error)
	// AddOrigin stores an import after the latest version was, and returns it with version and instant. If there is a later
	// one by now, the error is ErrChanged.
	AddOrigin(ctx context.Context, was int64, i Import) (Import, error)
}

// ErrChanged means that another process imported at the same time.
var ErrChanged = errors.New("origin: another import finished meanwhile; import again")

// Import is what was imported at once: the documents that are new or replace others.
type Import struct {
	Version    int64
	ImportedAt time.Time
	Replaces   bool // all earlier documents
	Documents  []Document
}

// File is a file to import, or a compressed archive of files.
type File struct {
	Name   string
	Reader io.Reader
	Found  bool // in a folder: an archive without files of origin is left out
}

// Report is the result of an import. Rules are published rows, and Compiled those that are understood.
type Report struct {
	Version            int64
	Documents, Changed int
	Schemes            int
	Sets               int
	Rules, Compiled    int
	Skipped            []string // files of archives that are not used
}

// Batch is what was read of files and can be imported.
type Batch struct {
	documents []Document
	skipped   []string
}

// Read reads files, all or none. If any is invalid, the error is an *importerr.Error. service is for files that do not say for
// which service they are; it may be empty.
func Read(files []File, service string) (*Batch, error) {
	b := &Batch{}
	var err error
	b.documents, err = b.readAll(files, service)
	return b, err
}

// Put imports a batch as a whole. A document replaces the one of the same service, kind, scheme and name; the others stay,
// unless replace drops them. A batch that is held already changes nothing.
func (b *Batch) Put(ctx context.Context, to Store, replace bool) (Report, error) {
	r := Report{Documents: len(b.documents), Skipped: b.skipped}
	was, held, err := load(ctx, to)
	if err != nil {
		return r, err
	}
	i := Import{Replaces: replace}
	for _, d := range b.documents {
		if replace || held[d.key()] != d {
			i.Documents = append(i.Documents, d)
		}
	}
	if replace && sameDocuments(held, b.documents) {
		i.Documents = nil
	}
	i.apply(held)
	data, err := build(slices.Collect(maps.Values(held)))
	if err != nil {
		return r, err
	}
	r.count(data)
	r.Version, r.Changed = was, len(i.Documents)
	if i.Documents == nil {
		return r, nil
	}
	done, err := to.AddOrigin(ctx, was, i)
	r.Version = done.Version
	return r, err
}

func sameDocuments(held map[string]Document, documents []Document) bool {
	return len(held) == len(documents) && !slices.ContainsFunc(documents, func(d Document) bool { return held[d.key()] != d })
}

// count fills in what is held.
func (r *Report) count(d *Data) {
	for _, all := range d.schemes {
		r.Schemes += len(all)
		for _, s := range all {
			rules, compiled := s.Compiled()
			r.Sets, r.Rules, r.Compiled = r.Sets+len(s.Sets), r.Rules+rules, r.Compiled+compiled
		}
	}
}

// Compiled counts the published rules of a scheme, and those that are understood to the last word.
func (s *Scheme) Compiled() (rules, compiled int) {
	for _, set := range s.Sets {
		for _, r := range set.Rules {
			rules += r.Rows
			if r.Compiled {
				compiled += r.Rows
			}
		}
	}
	return rules, compiled
}

// apply changes the documents that are held to those after the import.
func (i *Import) apply(held map[string]Document) {
	if i.Replaces && i.Documents != nil {
		clear(held)
	}
	for _, d := range i.Documents {
		held[d.key()] = d
	}
}

// load returns the documents that are held after all imports.
func load(ctx context.Context, from Store) (version int64, held map[string]Document, err error) {
	all, err := from.OriginImports(ctx)
	if err != nil {
		return 0, nil, err
	}
	held = map[string]Document{}
	for n := range all {
		all[n].apply(held)
		version = all[n].Version
	}
	return version, held, nil
}

// maxFiles is about five times the files that are published.
const maxFiles = 5000

// readAll reads files and archives. A document that occurs twice with different content is an error.
func (b *Batch) readAll(files []File, service string) ([]Document, error) {
	var wrong importerr.Error
	all, count := map[string]Document{}, 0
	take := func(name string, content []byte) {
		if count++; count > maxFiles {
			wrong.Add(name, 0, fmt.Sprintf("is above the %d files that can be imported at once", maxFiles))
			return
		}
		d, err := ReadDocument(name, content, service)
		if err != nil {
			wrong.Add(name, 0, err.Error())
			return
		}
		if other, twice := all[d.key()]; twice && other != d {
			wrong.Add(name, 0, "is another version of "+d.title()+", which is imported at the same time")
			return
		}
		all[d.key()] = d
	}
	for _, file := range files {
		content, err := io.ReadAll(io.LimitReader(file.Reader, maxDocument+1))
		if err != nil {
			return nil, err
		}
		if !IsArchive(content) {
			take(file.Name, content)
		} else if err := b.unpackArchive(file.Name, content, take); err != nil && !(file.Found && errors.Is(err, errUnused)) {
			wrong.Add(file.Name, 0, err.Error())
		}
		if wrong.More {
			break
		}
	}
	if err := wrong.OrNil(); err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Document) int { return strings.Compare(a.key(), b.key()) }), nil
}

// IsArchive reports whether a file is compressed.
func IsArchive(content []byte) bool { return bytes.HasPrefix(content, []byte{0x1f, 0x8b}) }

// maxArchive limits what an archive unpacks to, in bytes.
const maxArchive = 128 << 20

// unpackArchive hands the files of a compressed tar archive to take. Those of other kinds are skipped.
func (b *Batch) unpackArchive(name string, content []byte, take func(string, []byte)) error {
	zip, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return err
	}
	limited, used := &io.LimitedReader{R: zip, N: maxArchive}, 0
	for entries := tar.NewReader(limited); ; {
		entry, err := entries.Next()
		switch {
		case errors.Is(err, io.EOF) && used == 0:
			return errUnused
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("is not a whole archive of at most %d MB: %w", maxArchive>>20, err)
		case entry.Typeflag != tar.TypeReg:
			continue
		}
		file, err := io.ReadAll(io.LimitReader(entries, maxDocument+1))
		if err != nil {
			return err
		}
		path := name + "/" + entry.Name
		if !Recognise(path, file) {
			b.skipped = append(b.skipped, path)
			continue
		}
		used++
		take(path, file)
	}
}

var errUnused = errors.New("is an archive without schemes, rule sets or articles of origin; unpack archives of other files first")

// maxUnpacked limits a stored import, uncompressed.
const maxUnpacked = 512 << 20

// Pack returns documents in the form in which they are stored.
func Pack(documents []Document) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(zip).Encode(documents), zip.Close()); err != nil {
		return nil, fmt.Errorf("origin: pack: %w", err)
	}
	return out.Bytes(), nil
}

// Unpack reads what Pack has written.
func Unpack(packed []byte) (documents []Document, err error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		documents, err = readDocuments(json.NewDecoder(io.LimitReader(zip, maxUnpacked)))
	}
	if err != nil {
		return nil, fmt.Errorf("origin: unpack: %w", err)
	}
	return documents, nil
}

// readDocuments reads a list of documents one by one, as a decoder keeps the whole text of what it reads at once.
func readDocuments(from *json.Decoder) (documents []Document, err error) {
	if begin, err := from.Token(); err != nil || begin != json.Delim('[') {
		return nil, errors.Join(err, errNoList)
	}
	for from.More() {
		var d Document
		if err := from.Decode(&d); err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	_, err = from.Token()
	return documents, err
}

var errNoList = errors.New("is not a list of documents")
