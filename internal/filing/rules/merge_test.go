package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Findings that say the same of several items are one, that of the lowest item; the numbers of the others are named in order.
func TestMerge(t *testing.T) {
	var all []rules.Finding
	for _, n := range []int{12, 1, 11, 2, 5, 6, 7, 9} {
		all = append(all, rules.Finding{Code: "T-1", Field: fmt.Sprintf("items[%d].origin", n-1), Message: fmt.Sprintf("Item %d has no origin.", n), Suggestion: fmt.Sprintf("State it for item %d, not item 123.", n)})
	}
	all = append(all,
		rules.Finding{Code: "T-1", Field: "items[2].origin", Message: "Item 3 comes from the moon.", Suggestion: "State it."},
		rules.Finding{Code: "T-2", Field: "incoterm", Message: "There is none."}, rules.Finding{Code: "T-2", Field: "incoterm", Message: "There is none."},
		rules.Finding{Code: "T-3", Field: "items[1].weight", Message: "Item 2 weighs 2 kg."}, rules.Finding{Code: "T-3", Field: "items[2].weight", Message: "Item 3 weighs 3 kg."})
	var got []string
	for _, m := range rules.Merge(all) {
		got = append(got, m.Message+"|"+m.Also())
	}
	const want = "Item 1 has no origin.|Also items 2, 5 to 7, 9, 11 and 12\nItem 3 comes from the moon.|\nThere is none.|\nItem 2 weighs 2 kg.|\nItem 3 weighs 3 kg.|"
	if strings.Join(got, "\n") != want {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), want)
	}
}

// Many scattered items are counted.
func TestManyOtherNumbers(t *testing.T) {
	m := rules.Merged{Finding: rules.Finding{Field: "lines[0]"}}
	for n := 2; n < 100; n += 2 {
		m.Others = append(m.Others, n)
	}
	if got := m.Also(); !strings.HasPrefix(got, "Also entries 2, 4, ") || !strings.HasSuffix(got, ", 24 and 37 more") {
		t.Error(got)
	}
}

// In an answer, a finding of several items names the fields and the numbers of all. Others, the score and the summary are as they were.
func TestJoined(t *testing.T) {
	var all []rules.Finding
	for _, n := range []int{3, 1, 7} {
		all = append(all, rules.Finding{Code: "T-1", Severity: rules.Blocker, Field: fmt.Sprintf("items[%d].origins[0].country", n-1), Message: fmt.Sprintf("Item %d has no origin.", n)})
	}
	whole := rules.NewReview(append(all, rules.Finding{Code: "T-2", Severity: rules.Info, Field: "items[0].weight", Message: "Item 1 is heavy."}))
	got := whole.Joined()
	want := "[{T-1 blocker items[0].origins[0].country Item 1 has no origin. It concerns items 1, 3 and 7.     [items[0].origins[0].country items[2].origins[0].country items[6].origins[0].country] false} " +
		"{T-2 info items[0].weight Item 1 is heavy.     [] false}]"
	if fmt.Sprint(got.Findings) != want {
		t.Errorf("%v", got.Findings)
	}
	if got.Summary != whole.Summary || got.RiskScore != whole.RiskScore || !got.HasBlockers || len(whole.Findings) != 4 {
		t.Errorf("%+v of %+v", got, whole)
	}
}
