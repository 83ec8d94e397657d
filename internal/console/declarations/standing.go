package declarations

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// standing says in words where a declaration is, and what to do next.
type standing struct {
	Kind       string // of the notice: good, bad, wait or note
	Text, Next string
}

// sending is how far the latest attempt to tell customs has come.
type sending struct {
	Pending    bool // it is under way
	Unknown    bool // customs may have it, and nobody knows
	Settled    bool // neither
	Cancelling bool // customs is asked to cancel
	Problem    string
}

func sendingOf(tx page.Tx, id string) (s sending, err error) {
	all, err := tx.Transmissions(id)
	if err != nil {
		return s, err
	}
	for i := range all {
		switch t := &all[i]; t.Purpose {
		case "cancel":
			s.Cancelling = t.State == "pending"
		default:
			s.Pending, s.Unknown, s.Problem = t.State == "pending", t.State == "unknown", t.Reason()
		}
	}
	s.Settled = !s.Pending && !s.Unknown
	return s, nil
}

// standingOf puts a declaration's state into words.
func standingOf(s *shown, state sending) standing {
	switch {
	case state.Pending:
		return standing{"wait", "It is being sent to customs.", "Nothing to do: the page changes when customs has it."}
	case state.Unknown:
		return standing{"bad", "It was sent, but no readable answer came, so customs may have it.", "Submit it again, unchanged. The reference stays the same, so it cannot be declared twice."}
	}
	switch s.Filing.Status {
	case lifecycle.Draft:
		if state.Problem != "" {
			return standing{"bad", "It was not taken: " + state.Problem, "Submit it again, after correcting it where that is needed."}
		}
		return drafted(s)
	case lifecycle.Submitted:
		if s.Added.Prelodged {
			return standing{"wait", "Customs has it and keeps it until the goods arrive.", "Present the goods when they are there. Its answers appear here."}
		}
		return standing{"wait", "Customs has it and is checking it.", "Nothing to do: its answer appears here."}
	case lifecycle.Accepted:
		return standing{"note", "Customs has accepted it. The goods wait for their release.", "Nothing to do unless customs asks for documents."}
	case lifecycle.Rejected:
		return standing{"bad", "Customs rejected it: " + count(len(s.Errors)+s.More, "fault") + ".", "Correct what is named below, then submit it again."}
	case customs.Cleared:
		return standing{"good", "Customs has released the goods.", "Nothing to do. Keep the papers."}
	}
	return standing{"note", "It is cancelled and no longer counts.", "Copy it where the goods must be declared after all."}
}

func drafted(s *shown) standing {
	st := standing{"note", "Nothing has been sent to customs yet.", "Read it through, then submit it."}
	if s.Review.HasBlockers {
		st.Kind, st.Next = "wait", "Customs would refuse it as it stands: correct what the review found, then submit it."
	}
	return st
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// where names a field in words: items[2].netMassKg is Item 3, net mass kg.
func where(field string) string {
	if field == "" || field == "declaration" {
		return "The declaration as a whole"
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

// spaced is a field's name as words.
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

// fixAt is where a field is corrected.
func fixAt(id, field string) string {
	if strings.HasPrefix(field, "organisation") {
		return "/settings"
	}
	return "/declarations/" + id + "/edit?field=" + url.QueryEscape(field)
}
