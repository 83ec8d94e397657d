package customs_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// A copy has no references of one consignment, at header and items. Documents lose their references, unless they are those of
// authorisations; without a data set they are left out.
func TestCopyOf(t *testing.T) {
	for body, want := range map[string]string{
		`{"dataSet":"H1","reference":"R","uniqueReference":true,"ucr":{"reference":"U"},"supplements":"S","previousDocuments":[{"type":"DCR"}],"metadata":{"a":"b"},` +
			`"documents":[{"type":"N935","reference":"INV-1","status":"AC"},{"type":"C506","reference":"GBDPO1"}],` +
			`"items":[{"netMassKg":1.50,"ucr":{"reference":"U"},"previousDocuments":[],"documents":[{"category":"C","type":"601","reference":"GBIPO1"},{"type":"N730"}]}]}`: //
		`{"dataSet":"H1","documents":[{"status":"AC","type":"N935"},{"reference":"GBDPO1","type":"C506"}],` +
			`"items":[{"documents":[{"category":"C","reference":"GBIPO1","type":"601"},{"type":"N730"}],"netMassKg":1.50}],"metadata":{"a":"b"}}`,
		`{"documents":[{"type":"N935","reference":"INV-1"},{"type":"C506","reference":"GBDPO1"}],"items":[{"documents":[{"type":"N730","reference":"X"}]}]}`://
		`{"documents":[{"reference":"GBDPO1","type":"C506"}],"items":[{}]}`,
		`{"items":[{"documents":[]}]}`: `{"items":[{"documents":[]}]}`,
	} {
		got, err := customs.CopyOf([]byte(body))
		if err != nil || string(got) != want {
			t.Errorf("%s\nis copied as %s, %v\nnot %s", body, got, err, want)
		}
	}
}
