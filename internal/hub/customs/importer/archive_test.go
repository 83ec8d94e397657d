package importer_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// zipped returns a ZIP file with files of some contents.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// The documents of a ZIP file are read, in folders too. Files that unpack to more than the limit, unsafe paths, repeated names and
// too many files are refused, and nothing is unpacked further than the limit.
func TestReadArchive(t *testing.T) {
	documents, err := importer.ReadArchive(reader(zipped(t, map[string]string{"a/one.xml": "<a/>", "a/": "", "__MACOSX/._one": "x"})))
	if err != nil || len(documents) != 1 || documents[0].Name != "a/one.xml" || string(documents[0].Data) != "<a/>" {
		t.Fatalf("%+v, %v", documents, err)
	}
	many := map[string]string{}
	for n := range importer.MaxDocuments + 1 {
		many[fmt.Sprintf("%d.xml", n)] = ""
	}
	bomb := strings.Repeat("\x00", importer.MaxSize+1)
	most := map[string]string{}
	for n := range 6 {
		most[fmt.Sprintf("%d.xml", n)] = bomb[:importer.MaxSize-1]
	}
	thousands := map[string]string{}
	for n := range 100_000 {
		thousands[fmt.Sprintf("%d", n)] = ""
	}
	broken := zipped(t, map[string]string{"a.xml": strings.Repeat("text", 100)})
	broken[40] ^= 0xff
	for name, c := range map[string]struct {
		data []byte
		code apierr.Code
	}{
		"nothing":         {nil, apierr.InvalidRequest},
		"no ZIP file":     {[]byte("<a/>"), apierr.InvalidRequest},
		"no document":     {zipped(t, map[string]string{"a/": ""}), apierr.InvalidRequest},
		"too many":        {zipped(t, many), apierr.InvalidRequest},
		"very many":       {zipped(t, thousands), apierr.InvalidRequest},
		"one bomb":        {zipped(t, map[string]string{"a.xml": bomb}), apierr.InvalidRequest},
		"a bomb together": {zipped(t, most), apierr.PayloadTooLarge},
		"outside":         {zipped(t, map[string]string{"../a.xml": "<a/>"}), apierr.InvalidRequest},
		"absolute":        {zipped(t, map[string]string{"/etc/a.xml": "<a/>"}), apierr.InvalidRequest},
		"of Windows":      {zipped(t, map[string]string{`C:\a.xml`: "<a/>"}), apierr.InvalidRequest},
		"control":         {zipped(t, map[string]string{"a\x1b.xml": "<a/>"}), apierr.InvalidRequest},
		"damaged":         {broken, apierr.InvalidRequest},
	} {
		_, err := importer.ReadArchive(reader(c.data))
		if known, ok := apierr.As(err); !ok || known.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func reader(data []byte) (*bytes.Reader, int64) { return bytes.NewReader(data), int64(len(data)) }
