package amended_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amended"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
)

// numbers are the sequence numbers of entries. An amendment keeps those of the entries that are there.
var numbers = regexp.MustCompile(`<SequenceNumeric>[0-9]+</SequenceNumeric>`)

// declaration returns a declaration with two items.
func declaration() wco.Declaration {
	var d wco.Declaration
	d.GoodsShipment.GovernmentAgencyGoodsItem = make([]wco.GovernmentAgencyGoodsItem, 2)
	for i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		item := &d.GoodsShipment.GovernmentAgencyGoodsItem[i]
		item.SequenceNumeric, item.Commodity.Description = wco.Count(i+1), "Shirts"
	}
	return d
}

const shared = "../../../../../shared/customs"

// original returns a declaration without what belongs to its message, with items that are numbered by their places.
func original(d wco.Declaration) wco.Declaration {
	d.FunctionCode, d.FunctionalReferenceID, d.ID, d.TypeCode, d.IssueDateTime, d.Amendment = wco.FunctionOriginal, "L", "", "IMA", wco.DateTime{}, nil
	for n := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		d.GoodsShipment.GovernmentAgencyGoodsItem[n].SequenceNumeric = wco.Count(n + 1)
	}
	return d
}

func encode(t *testing.T, d wco.Declaration) string {
	t.Helper()
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Any of HMRC's sample submissions can be amended into the next one, however different they are: the request is valid by
// HMRC's schema, and applied to the first it gives the second.
func TestRequestsLeadFromOneSampleToTheNext(t *testing.T) {
	files, _ := filepath.Glob(shared + "/submissions/*.xml")
	if len(files) == 0 {
		t.Skip("the samples are not there")
	}
	var all []wco.Declaration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := wco.Decode(text); err == nil && d.FunctionCode == wco.FunctionOriginal {
			all = append(all, original(d))
		}
	}
	folder, requests := t.TempDir(), 0
	for i := range all[1:] {
		request, err := amendment.Request("OWN", "26GBAAAAAAAAAAAAA1", "32", "Wrong", &all[i], &all[i+1])
		if errors.Is(err, amendment.ErrNoChange) {
			continue
		}
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		text := encode(t, request)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.xml", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		requests++
		received, err := wco.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := amended.By(&all[i], &received)
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		result, want := numbers.ReplaceAllString(encode(t, got), ""), numbers.ReplaceAllString(encode(t, all[i+1]), "")
		if result != want {
			t.Fatalf("%d: %s", i, difference(result, want))
		}
	}
	if requests < 150 {
		t.Errorf("%d requests only", requests)
	}
	lint(t, folder)
}

// difference returns where two texts begin to differ.
func difference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(0, at-200)
	return "amended into …" + got[from:min(len(got), at+200)] + "\nwant …" + want[from:min(len(want), at+200)]
}

// lint checks the requests of a folder against HMRC's schema.
func lint(t *testing.T, folder string) {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Log("xmllint is not installed: the schema was not checked")
		return
	}
	documents, _ := filepath.Glob(folder + "/*.xml")
	output, err := exec.Command("xmllint", slices.Concat([]string{"--noout", "--schema", shared + "/xsd/customs/wrapper_submit.xsd"}, documents)...).CombinedOutput()
	if err != nil {
		for line := range strings.Lines(string(output)) {
			if !strings.HasSuffix(line, " validates\n") {
				t.Error(strings.TrimSpace(line))
			}
		}
	}
}

// HMRC's sample requests for amendments are understood: each pointer leads to something that can be amended.
func TestApplySamples(t *testing.T) {
	files, _ := filepath.Glob(shared + "/submissions/*mendment*.xml")
	if len(files) == 0 {
		t.Skip("the samples are not there")
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		request, err := wco.Decode(text)
		if err != nil || request.TypeCode != amendment.TypeCorrection {
			continue
		}
		n++
		before := declaration()
		before.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument = make([]wco.AdditionalDocument, 3)
		after, err := amended.By(&before, &request)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		changes, _, err := amendment.Compare(&before, &after)
		if err != nil || len(changes) == 0 {
			t.Errorf("%s: it changes nothing (%v)", filepath.Base(file), err)
		}
	}
	if n < 10 {
		t.Errorf("%d samples only", n)
	}
}

// An amendment of the reference, of the type, or of what does not exist is an error, and nothing changes.
func TestApplyToNothing(t *testing.T) {
	for _, p := range [][]wco.Pointer{
		{{DocumentSectionCode: "42A", TagID: "D026"}},
		{{DocumentSectionCode: "42A", TagID: "D013"}},
		{{DocumentSectionCode: "42A", TagID: "999"}},
		{{DocumentSectionCode: "42A"}},
		{{DocumentSectionCode: "07B", TagID: "D026"}},
		{{DocumentSectionCode: "42A"}, {DocumentSectionCode: "67A"}, {DocumentSectionCode: "68A", SequenceNumeric: "7"}},
		{{DocumentSectionCode: "42A"}, {DocumentSectionCode: "67A"}, {DocumentSectionCode: "68A", SequenceNumeric: "1"}, {DocumentSectionCode: "02A", SequenceNumeric: "2", TagID: "D005"}},
		nil,
	} {
		before := declaration()
		_, err := amended.By(&before, &wco.Declaration{Amendment: []wco.Amendment{{ChangeReasonCode: "32", Pointer: p}}})
		var pointed *amended.PointerError
		if !errors.As(err, &pointed) {
			t.Errorf("%v: %v", p, err)
		}
		if changes, _, _ := amendment.Compare(&before, new(declaration())); len(changes) > 0 {
			t.Errorf("%v changed %v", p, changes)
		}
	}
}
