package filings

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// A form takes the MRNs of all transit declarations that a customs declaration names, in its documents and previous documents and in those of its items, and no others.
func TestTransitDeclarationsAreTaken(t *testing.T) {
	d := documentOf([]byte(`{"documents":[{"type":"N821","reference":"26FRB0000Q4XJ5M2K7"},{"type":"N935","reference":"INV-1"},{"type":"N822"}],
		"previousDocuments":[{"type":"821","reference":"26FRB0000Q4XJ5M2K8"},{"type":"DCR","reference":"6GB123456789000-1"},"odd"],
		"items":[{"documents":[{"type":"N820","reference":"26FRB0000Q4XJ5M2K9"}]},{"previousDocuments":[{"type":"822","reference":"26FRB0000Q4XJ5M2L1"},{"type":"8222","reference":"X"}]}]}`), []byte(`{}`))
	want := []string{"26FRB0000Q4XJ5M2K7", "26FRB0000Q4XJ5M2K8", "26FRB0000Q4XJ5M2K9", "26FRB0000Q4XJ5M2L1"}
	if got := d.values(source.Transit("transitDeclarations")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := d.values(layout.Take{From: []string{"documents[].reference"}}); !slices.Equal(got, []string{"26FRB0000Q4XJ5M2K7", "INV-1"}) {
		t.Errorf("without a condition: %q", got)
	}
}
