package declarations

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
)

// statusSummary describes the status of a declaration and what to do next.
type statusSummary struct {
	Colour     string // of the notice: good, bad, wait or note
	Text, Next string
}

// sendState is the state of the latest transmissions to customs.
type sendState struct {
	Pending    bool // being sent
	Unknown    bool // the result is unknown: customs may have received it
	Finished   bool // neither pending nor unknown
	Cancelling bool // a cancellation request is being sent
	Problem    string
}

func sendStateOf(tx page.Tx, id string) (s sendState, err error) {
	all, err := tx.Transmissions(id)
	if err != nil {
		return s, err
	}
	for i := range all {
		switch t := &all[i]; t.Purpose {
		case "cancel":
			s.Cancelling = t.State == "pending"
		case "submit":
			s.Pending, s.Unknown, s.Problem = t.State == "pending", t.State == "unknown", t.Reason()
		}
	}
	s.Finished = !s.Pending && !s.Unknown
	return s, nil
}

// summaryOf describes the status of a declaration.
func summaryOf(s *declarationView, state sendState) statusSummary {
	switch {
	case state.Pending:
		return statusSummary{"wait", "The declaration is being sent to customs.", "You do not need to do anything. This page is updated automatically."}
	case state.Unknown:
		return statusSummary{"bad", "The declaration was sent, but customs did not confirm it.", "Submit it again without changes. The LRN stays the same, so it cannot be declared twice."}
	}
	switch s.Filing.Status {
	case lifecycle.Draft:
		if state.Problem != "" {
			return statusSummary{"bad", "Customs did not accept the submission: " + state.Problem, "Correct the declaration if necessary, then submit it again."}
		}
		return draftSummary(s)
	case lifecycle.Submitted:
		if s.Added.Prelodged {
			return statusSummary{"wait", "Customs has received the declaration and waits for the goods.", "Present the goods to customs when they arrive. The answers of customs will appear here."}
		}
		return statusSummary{"wait", "Customs is checking the declaration.", "You do not need to do anything. The answer of customs will appear here."}
	case lifecycle.Accepted:
		return statusSummary{"note", "Customs has accepted the declaration. The goods are not released yet.", "You do not need to do anything unless customs asks for documents."}
	case lifecycle.Rejected:
		return statusSummary{"bad", "Customs rejected the declaration with " + countOf(len(s.Errors)+s.MoreErrors, "error") + ".", "Correct the errors below, then submit it again."}
	case customs.Cleared:
		return statusSummary{"good", "Customs has released the goods.", "You do not need to do anything. Keep the documents."}
	}
	return statusSummary{"note", "The declaration is cancelled.", "If the goods must still be declared, copy it to a new declaration."}
}

func draftSummary(s *declarationView) statusSummary {
	st := statusSummary{"note", "This draft has not been sent to customs.", "Check it, then submit it."}
	if s.Review.HasBlockers {
		st.Colour, st.Next = "wait", "Customs would reject it. Correct the problems in the review, then submit it."
	}
	return st
}

// countOf returns a number with its noun.
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// fieldLabel returns a field's path in words: Item 3, net mass in kilograms for items[2].netMassKg.
func fieldLabel(field string) string {
	if field == "" || field == "declaration" {
		return "The whole declaration"
	}
	if name := fields.Name(fields.Declaration, field); name != "" {
		return name
	}
	var parts []string
	for _, part := range strings.Split(field, ".") {
		name, index, listed := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		words := spaced(name)
		if n := 0; listed {
			_, _ = fmt.Sscan(index, &n)
			words = fmt.Sprintf("%s %d", strings.TrimSuffix(words, "s"), n+1)
		}
		parts = append(parts, words)
	}
	text := strings.Join(parts, ", ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// spaced splits a field's name into words.
func spaced(name string) string {
	for _, short := range []struct{ from, to string }{{"Gbp", "InPounds"}, {"Kg", "InKilograms"}, {"Eori", "EORI"}, {"Vat", "VAT"}} {
		name = strings.ReplaceAll(name, short.from, short.to)
	}
	var out strings.Builder
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		if upper && i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
			out.WriteByte(' ')
		}
		out.WriteRune(c)
	}
	words := strings.Fields(out.String())
	for i, w := range words {
		if w != "EORI" && w != "VAT" {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// correctionPath returns the path of the page on which a field can be corrected.
func correctionPath(id, field string) string {
	if strings.HasPrefix(field, "organisation") {
		return "/settings"
	}
	return "/declarations/" + id + "/edit?field=" + url.QueryEscape(field)
}
