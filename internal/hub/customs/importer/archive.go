package importer

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of a ZIP file with documents. The number of bytes holds for the file and for the documents in it together, so that a
// small file cannot unpack to a large one.
const (
	MaxDocuments = 1000
	MaxArchive   = 100 << 20

	maxDirectory = 4 << 20 // bytes of the list of files, which is read before the files are counted
	maxFileName  = 255
	maxFaults    = 100
)

// ArchivedDocument is a document of a ZIP file.
type ArchivedDocument struct {
	Name string
	Data []byte
}

// errDirectory is the error of a ZIP file whose list of files is too long.
var errDirectory = errors.New("importer: the list of files is too long")

// ReadArchive reads the documents of a ZIP file. Nothing is written to disk, and a file within it is not unpacked further. The
// error names everything that is wrong.
func ReadArchive(r io.ReaderAt, size int64) ([]ArchivedDocument, error) {
	bounded := &boundedReader{r: r, left: maxDirectory}
	archive, err := zip.NewReader(bounded, size)
	switch {
	case errors.Is(err, errDirectory):
		return nil, invalidArchive("body", fmt.Sprintf("must have at most %d documents", MaxDocuments))
	case err != nil:
		return nil, invalidArchive("body", "is not a ZIP file")
	}
	bounded.left = -1
	files, err := checkFiles(archive.File)
	if err != nil {
		return nil, err
	}
	all := make([]ArchivedDocument, 0, len(files))
	left := int64(MaxArchive)
	for _, f := range files {
		data, err := unpack(f, min(left, MaxSize)+1)
		switch {
		case err != nil:
			return nil, invalidArchive(f.Name, "cannot be unpacked: it is damaged")
		case int64(len(data)) > MaxSize:
			return nil, apierr.New(apierr.PayloadTooLarge, "%s has more than %d bytes.", f.Name, MaxSize)
		case int64(len(data)) > left:
			return nil, apierr.New(apierr.PayloadTooLarge, "The documents of the ZIP file have more than %d bytes.", MaxArchive)
		}
		left -= int64(len(data))
		all = append(all, ArchivedDocument{Name: f.Name, Data: data})
	}
	return all, nil
}

func invalidArchive(field, message string) error {
	return apierr.Invalid(apierr.Detail{Field: field, Message: message})
}

// checkFiles returns the files of a ZIP file without its folders, or what is wrong with them.
func checkFiles(files []*zip.File) (documents []*zip.File, _ error) {
	var details []apierr.Detail
	seen := map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(f.Name, "__MACOSX/") { // a folder, or what macOS adds for each file
			continue
		}
		documents = append(documents, f)
		if problem := fileProblem(f, seen[f.Name]); problem != "" && len(details) < maxFaults {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("files[%d]", len(documents)-1), Message: problem})
		}
		seen[f.Name] = true
	}
	if n := len(documents); n == 0 || n > MaxDocuments {
		details = append(details, apierr.Detail{Field: "body", Message: fmt.Sprintf("must have 1 to %d documents, not %d", MaxDocuments, n)})
	}
	if details != nil {
		return nil, apierr.Invalid(details...)
	}
	return documents, nil
}

// fileProblem returns what is wrong with a file of a ZIP file, before it is read; empty if nothing is.
func fileProblem(f *zip.File, twice bool) string {
	const encrypted = 1
	switch name := f.Name; {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || utf8.RuneCountInString(name) > maxFileName:
		return fmt.Sprintf("must have a name of at most %d printable characters", maxFileName)
	case strings.HasPrefix(name, "/") || strings.ContainsAny(name, `\:`) || strings.Contains("/"+name+"/", "/../"):
		return fmt.Sprintf("must have a path within the ZIP file, not %q", name)
	case twice:
		return fmt.Sprintf("has the name of another file, %q", name)
	case f.Flags&encrypted != 0:
		return fmt.Sprintf("is encrypted: %q", name)
	case f.UncompressedSize64 > MaxSize:
		return fmt.Sprintf("must have at most %d bytes: %q", MaxSize, name)
	}
	return ""
}

// unpack reads a file, at most some bytes of it whatever its header says.
func unpack(f *zip.File, limit int64) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, limit))
}

// boundedReader fails after a number of bytes; a negative number is no limit.
type boundedReader struct {
	r    io.ReaderAt
	left int64
}

func (b *boundedReader) ReadAt(p []byte, off int64) (int, error) {
	if b.left >= 0 {
		if int64(len(p)) > b.left {
			return 0, errDirectory
		}
		b.left -= int64(len(p))
	}
	return b.r.ReadAt(p, off)
}
