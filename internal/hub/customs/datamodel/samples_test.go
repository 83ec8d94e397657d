package datamodel_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// Each original submission that HMRC publishes becomes JSON and back, and declares the same.
func TestSamplesRoundTrip(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/customs/submissions/*.xml")
	if files == nil {
		t.Skip("the published samples are not here")
	}
	var same, invalid int
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(raw)
		var wrong *wco.ElementError
		switch {
		case errors.As(err, &wrong):
			invalid++
			t.Logf("%s is not valid: %v", filepath.Base(file), err)
			continue
		case err != nil:
			t.Fatal(err)
		case d.FunctionCode != wco.FunctionOriginal:
			continue
		}
		body, err := datamodel.Decode(&d)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		again := datamodel.Encode(throughJSON(t, body))
		if was, is := canonical(t, d), canonical(t, again); was != is {
			t.Errorf("%s:\nwas %s\nis  %s", filepath.Base(file), was, is)
			continue
		}
		same++
	}
	if same < 160 || invalid > 1 {
		t.Errorf("%d submissions are the same again, %d are invalid; at least 160 and 1", same, invalid)
	}
}

// throughJSON writes a body as JSON and reads it again.
func throughJSON(t *testing.T, b datamodel.Body) datamodel.Body {
	t.Helper()
	raw, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var again datamodel.Body
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// canonical returns a document without what the service assigns and what does not count: zeros after the decimal point, and
// the order of classifications and origins.
func canonical(t *testing.T, d wco.Declaration) string {
	t.Helper()
	d.FunctionalReferenceID, d.IssueDateTime = "", wco.DateTime{}
	items := slices.Clone(d.GoodsShipment.GovernmentAgencyGoodsItem)
	d.GoodsShipment.GovernmentAgencyGoodsItem = items
	for i := range items {
		items[i].Commodity.Classification = slices.Clone(items[i].Commodity.Classification)
		slices.SortStableFunc(items[i].Commodity.Classification, func(a, b wco.Classification) int {
			return cmp.Or(cmp.Compare(a.IdentificationTypeCode, b.IdentificationTypeCode), cmp.Compare(a.ID, b.ID))
		})
		items[i].Origin = slices.Clone(items[i].Origin)
		slices.SortStableFunc(items[i].Origin, func(a, b wco.Origin) int { return cmp.Compare(a.TypeCode, b.TypeCode) })
	}
	raw, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`>(\d+)\.(\d*?)0*<`).ReplaceAllString(string(raw), ">$1.$2<")
	text = strings.ReplaceAll(strings.ReplaceAll(text, ".<", "<"), ` unitCode="KGM"`, "")
	return strings.ReplaceAll(text, "><", ">\n<")
}
