// Package documents is the labelled set on which extraction is measured: trade documents written for this project,
// with invented companies. Each is in testdata as text with its labels, and is converted into the format that it
// names. Those in the folder held were written before the program had read any of them; nothing is tuned to them.
package documents

import (
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

//go:embed testdata
var files embed.FS

// Sample is a document with its labels: expected values by member.
type Sample struct {
	Name, Type, Format string
	File               []byte
	Want               map[string]string
	Held               bool
}

// All returns every sample, in order.
func All() ([]Sample, error) {
	var all []Sample
	for _, folder := range []string{"dev", "held"} {
		names, err := fs.Glob(files, "testdata/"+folder+"/*.doc")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			s, err := load(name)
			if err != nil {
				return nil, fmt.Errorf("documents: %s: %w", name, err)
			}
			s.Held = folder == "held"
			all = append(all, s)
		}
	}
	return append(all, long()...), nil
}

func load(name string) (s Sample, err error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return s, err
	}
	parts := strings.Split("\n"+string(text), "\n---\n")
	if len(parts) != 3 {
		return s, fmt.Errorf("has %d parts", len(parts))
	}
	head := pairs(parts[0], ": ")
	s = Sample{Name: strings.TrimSuffix(path.Base(name), ".doc"), Type: head["type"], Format: head["as"], Want: map[string]string{}}
	for k, v := range pairs(parts[2], " = ") {
		s.Want[member(k)] = v
	}
	s.File, err = write(head["as"], parts[1], path.Dir(name))
	return s, err
}

func pairs(text, separator string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), separator); ok {
			found[k] = v
		}
	}
	return found
}

// write converts a text into a file.
func write(format, text, folder string) ([]byte, error) {
	format, other, _ := strings.Cut(format, " ")
	switch format {
	case "txt":
		return []byte(strings.TrimPrefix(text, "\n")), nil
	case "latin1":
		return charmap.ISO8859_1.NewEncoder().Bytes([]byte(text))
	case "utf16":
		var out bytes.Buffer
		out.WriteString("\xff\xfe")
		err := binary.Write(&out, binary.LittleEndian, utf16.Encode([]rune(text)))
		return out.Bytes(), err
	case "pdf":
		return PDF(text, Plain), nil
	case "pdfx":
		return PDF(text, Packed), nil
	case "xlsx":
		return workbook(text)
	case "file":
		return files.ReadFile(folder + "/" + other)
	}
	return nil, fmt.Errorf("the format %q is not known", format)
}

// member is the member of a label: L1 is the first line of goods, C1 the first container.
func member(label string) string {
	for short, name := range map[string]string{"L": "lineItems", "C": "containers"} {
		rest, ok := strings.CutPrefix(label, short)
		number, field, dotted := strings.Cut(rest, ".")
		n := 0
		if _, err := fmt.Sscanf(number, "%d", &n); ok && dotted && err == nil {
			return fmt.Sprintf("%s[%d].%s", name, n-1, field)
		}
	}
	return label
}
