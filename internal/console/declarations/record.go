package declarations

import (
	"cmp"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// Name returns the name of the declaration: the own reference, or else the LRN.
func (s *declarationView) Name() string { return cmp.Or(s.Declaration.Reference, s.Added.LRN) }

// Goods returns what the declaration is about: the description of the first item, and the number of the others.
func (s *declarationView) Goods() string {
	items := s.Declaration.Items
	if len(items) == 0 {
		return "No goods"
	}
	text := cmp.Or(items[0].Description, "No description")
	if len(items) > 1 {
		text += fmt.Sprintf(" and %s more", countOf(len(items)-1, "item"))
	}
	return text
}

// Cleared reports whether customs has released the goods.
func (s *declarationView) Cleared() bool { return s.Filing.Status == customs.Cleared }

// Cancelled reports whether the declaration was cancelled.
func (s *declarationView) Cancelled() bool { return s.Filing.Status == lifecycle.Cancelled }

// Findings returns the findings of the review. Those that several items have are one.
func (s *declarationView) Findings() []rules.Merged { return rules.Merge(s.Review.Findings) }

// StatedFindings returns the findings about what is declared, besides the usual values that the service adds.
func (s *declarationView) StatedFindings() []rules.Merged { return s.findings(false) }

// UsualFindings returns the findings about usual values that the service adds.
func (s *declarationView) UsualFindings() []rules.Merged { return s.findings(true) }

func (s *declarationView) findings(usual bool) (all []rules.Merged) {
	for _, f := range s.Findings() {
		if usual == (f.Value != "" && f.Severity != rules.Blocker) {
			all = append(all, f)
		}
	}
	return all
}

// ReviewIsPast reports whether the review is that of a declaration that was submitted, and can only be read.
func (s *declarationView) ReviewIsPast() bool {
	return s.Filing.Status != lifecycle.Draft && s.Filing.Status != lifecycle.Rejected
}

// Primary returns the name of the one action to take next: documents, correct, edit, submit, present or copy; empty if there is none.
func (s *declarationView) Primary() string {
	a := &s.Allowed
	switch {
	case a.Edit && s.Errors != nil:
		return "correct"
	case a.Edit && a.Submit && s.Review.HasBlockers:
		return "edit"
	case s.Cancelled():
		return "copy"
	case a.Submit:
		return "submit"
	case a.AddFiles && s.asksForFiles():
		return "documents"
	case a.Present:
		return "present"
	}
	return ""
}

// asksForFiles reports whether customs waits for documents.
func (s *declarationView) asksForFiles() bool {
	for i := range s.Demands {
		if s.Demands[i].TakesFiles() && s.Demands[i].Status == customs.DemandOpen {
			return true
		}
	}
	return false
}

// Jumps returns the links to the sections of the page.
func (s *declarationView) Jumps() (links []jump) {
	add := func(on bool, id, name string) {
		if on {
			links = append(links, jump{id, name})
		}
	}
	add(len(s.Demands) > 0, "demands", "Demands")
	add(s.Errors != nil, "errors", "Errors")
	add(!s.ReviewIsPast(), "review", "Review")
	add(true, "goods", "Goods")
	add(true, "cost", "Money")
	add(true, "documents", "Documents")
	add(true, "timeline", "Timeline")
	add(true, "team", "Team")
	add(true, "parties", "Parties")
	add(s.ReviewIsPast(), "review", "Review")
	add(true, "details", "All details")
	return links
}

type jump struct{ ID, Name string }

// itemDocument is a document that one or several items declare.
type itemDocument struct {
	Type, Reference, Status string
	Items                   string // numbers of the items; empty for a document that goes with every item
}

// maxItemDocuments is the number of documents of items that the page shows.
const maxItemDocuments = 50

// Documents returns the declared documents: those of all items first, then those of single items, and how many more there are.
func (s *declarationView) Documents() (shown documentList) {
	for _, d := range s.Declaration.Documents {
		shown.Rows = append(shown.Rows, itemDocument{Type: d.Type, Reference: d.Reference, Status: d.Status})
	}
	for i := range s.Declaration.Items {
		for _, d := range s.Declaration.Items[i].Documents {
			if len(shown.Rows) == maxItemDocuments+len(s.Declaration.Documents) {
				shown.More++
				continue
			}
			shown.Rows = append(shown.Rows, itemDocument{Type: d.Category + d.Type, Reference: d.Reference, Status: d.Status, Items: fmt.Sprint(i + 1)})
		}
	}
	return shown
}

type documentList struct {
	Rows []itemDocument
	More int
}
