package rulebook_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// messages are valid messages of each kind that a trader sends.
func messages(v emcs.Version) map[emcs.Kind]emcs.Message {
	all := map[emcs.Kind]emcs.Message{}
	for _, m := range []emcs.Message{
		emcstest.Draft(v, now), emcstest.Change(v, now), emcstest.Receipt(v, now, "4"), emcstest.Alert(v, now, "1"), emcstest.Delay(v, now), emcstest.Shortage(v, now), emcstest.Cancellation(v, now),
	} {
		all[m.Kind] = m
	}
	return all
}

// A message that keeps all rules has no finding, in either version.
func TestValidMessages(t *testing.T) {
	for _, v := range emcs.Versions() {
		for kind, m := range messages(v) {
			if found := rulebook.Check(m, now); len(found) > 0 {
				t.Errorf("%s %s: %+v", kind, v, found)
			}
		}
		for _, conclusion := range []string{"1", "2", "3"} {
			if found := rulebook.Check(emcstest.Receipt(v, now, conclusion), now); len(found) > 0 {
				t.Errorf("conclusion %s: %+v", conclusion, found)
			}
		}
	}
}

// Each edit of a valid message breaks the rules with these numbers and no others.
func TestRules(t *testing.T) {
	seen := map[emcs.Kind]map[int]bool{}
	for _, c := range slices.Concat(draftCases, changeCases, reportCases) {
		m := messages(emcs.V313)[c.kind]
		if c.header != "" {
			m.Header.Recipient = c.header
		}
		emcstest.Edit(m.Body, strings.Split(c.edits, "; ")...)
		var numbers []string
		for _, f := range rulebook.Check(m, now) {
			numbers = append(numbers, strconv.Itoa(f.Number))
			if f.Message == "" || f.Location == "" || f.Field == "" {
				t.Errorf("%s %s: %+v", c.kind, c.edits, f)
			}
			if seen[c.kind] == nil {
				seen[c.kind] = map[int]bool{}
			}
			seen[c.kind][f.Number] = true
		}
		if got := strings.Join(numbers, " "); got != c.numbers {
			t.Errorf("%s %s: %s, not %s", c.kind, c.edits, got, c.numbers)
		}
	}
	for kind := range messages(emcs.V313) {
		for _, number := range rulebook.Numbers(kind) {
			if !seen[kind][number] && number != 8042 && number != 8002 { // those of TestTooManyItems
				t.Errorf("no case breaks %s %d", kind, number)
			}
		}
	}
}

// More than 999 items are one finding of the rules.
func TestTooManyItems(t *testing.T) {
	for kind, list := range map[emcs.Kind]string{emcs.Draft: "BodyEadEsad", emcs.Receipt: "BodyReportOfReceiptExport", emcs.Shortage: "BodyAnalysis"} {
		m := messages(emcs.V313)[kind]
		item := m.Body.At(list)
		for n := 2; n <= 1000; n++ {
			next := item.Clone()
			emcstest.Edit(next, "BodyRecordUniqueReference="+strconv.Itoa(min(n, 999)))
			m.Body.Add(next)
		}
		tooMany := func(f emcs.Finding) bool { return f.Number == 8042 || f.Number == 8002 }
		if found := rulebook.Check(m, now); !slices.ContainsFunc(found, tooMany) {
			t.Errorf("%s: %+v", kind, found)
		}
	}
}

// The greatest draft, of 999 items with 99 packages each that break a rule, has at most 500 findings of the rules.
func TestGreatestDraft(t *testing.T) {
	m := emcstest.Draft(emcs.V323, now)
	item := m.Body.At("BodyEadEsad")
	emcstest.Edit(item, "Package/NumberOfPackages=0", "Package/ShippingMarks=None")
	for range 98 {
		item.Add(item.At("Package").Clone())
	}
	for n := 2; n <= 999; n++ {
		next := item.Clone()
		emcstest.Edit(next, "BodyRecordUniqueReference="+strconv.Itoa(n))
		m.Body.Add(next)
	}
	if found := rulebook.Check(m, now); len(found) != 500 || found[0].Number != 8505 || found[499].Number != 8505 {
		t.Errorf("%d findings", len(found))
	}
}

// A finding points to HMRC's location, and to the field that is missing.
func TestLocations(t *testing.T) {
	m := emcstest.Draft(emcs.V323, now)
	emcstest.Edit(m.Body, "EadEsadDraft/DateOfDispatch=2026-11-26", "-DeliveryPlaceTrader", "BodyEadEsad/Package/NumberOfPackages=0", "-BodyEadEsad/Package/ShippingMarks")
	const root = "/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]"
	want := []string{
		"8033 " + root + " message.submittedDraftOfEADESAD.deliveryPlaceTrader",
		"8084 " + root + "/urn:EadEsadDraft[1]/urn:DateOfDispatch[1] message.submittedDraftOfEADESAD.eadEsadDraft.dateOfDispatch",
		"8506 " + root + "/urn:BodyEadEsad[1]/urn:Package[1] message.submittedDraftOfEADESAD.bodyEadEsad[0].package[0].shippingMarks",
	}
	var got []string
	for _, f := range rulebook.Check(m, now) {
		got = append(got, fmt.Sprint(f.Number, " ", f.Location, " ", f.Field))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// notChecked are the published numbers that the package's description leaves out.
var notChecked = []string{"IE815 8087", "IE815 8088", "IE815 8712", "IE815 8713", "IE815 8725", "IE818 8001", "IE813 8203"}

// Every number that HMRC publishes for these messages is checked, or left out by name; and no other number is checked.
func TestPublishedNumbers(t *testing.T) {
	want := append(published(t, "error-codes.tsv", ""), published(t, "rim-rules-ie815.tsv", "IE815")...)
	slices.Sort(want)
	want = slices.Compact(want)
	got := slices.Clone(notChecked)
	for kind := range messages(emcs.V313) {
		for _, number := range rulebook.Numbers(kind) {
			got = append(got, fmt.Sprintf("%s %d", kind, number))
		}
	}
	slices.Sort(got)
	for _, number := range want {
		if _, found := slices.BinarySearch(got, number); !found {
			t.Errorf("%s is not checked", number)
		}
	}
	for _, number := range got {
		if _, found := slices.BinarySearch(want, number); !found {
			t.Errorf("%s is not published", number)
		}
	}
}

// published reads the messages and numbers of one of HMRC's tables.
func published(t *testing.T, name, kind string) (numbers []string) {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "shared", "authorities", "emcs", name))
	if err != nil {
		t.Skip("HMRC's tables are not beside the project")
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if kind != "" {
			columns = append([]string{kind}, columns...)
		}
		if _, err := strconv.Atoi(columns[min(1, len(columns)-1)]); err == nil {
			numbers = append(numbers, columns[0]+" "+columns[1])
		}
	}
	return numbers
}
