package wco_test

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Of every published submission, the decoder thinks what HMRC's schema thinks; what
// it takes it writes validly, and reads back unchanged.
func TestSamples(t *testing.T) {
	paths := samples(t, "submissions", "minimal")
	sources := make([][]byte, len(paths))
	for i, path := range paths {
		sources[i] = read(t, path)
	}
	var written [][]byte
	for i, fault := range lint(t, submitSchema, sources) {
		d, err := wco.Decode(sources[i])
		if (fault == "") != (err == nil) {
			t.Errorf("%s: xmllint says %q, but decoding gives %v", filepath.Base(paths[i]), fault, err)
		}
		if err == nil {
			written = append(written, reread(t, paths[i], d))
		}
	}
	mustBeValid(t, submitSchema, written)
	t.Logf("%d of %d samples are fully known, valid when written again, and stable", len(written), len(paths))
}

func reread(t *testing.T, path string, d wco.Declaration) []byte {
	t.Helper()
	document := encode(t, d)
	again, err := wco.Decode(document)
	if err != nil || !reflect.DeepEqual(d, again) {
		t.Errorf("%s: not the same again (%v)", filepath.Base(path), err)
	}
	if !bytes.Equal(document, encode(t, again)) {
		t.Errorf("%s: not the same bytes again", filepath.Base(path))
	}
	return document
}

// The smallest sensible declarations are known to the last element.
func TestMinimal(t *testing.T) {
	for _, path := range samples(t, "minimal") {
		d, err := wco.Decode(read(t, path))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		reread(t, path, d)
	}
}
