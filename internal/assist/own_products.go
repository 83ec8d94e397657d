package assist

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// OwnProduct is a product of an organisation.
type OwnProduct struct {
	Code, Description string
	CommodityCode     string   // six to ten digits
	Accepted          []string // the codes under which customs accepted it, each as often as it did
	More              bool     // customs may have accepted it more often
}

// OwnProducts puts the codes of an organisation's own products first.
type OwnProducts struct {
	Tariff *Classifier
	Next   func(context.Context, tenant.ID, Question) (Suggestions, error) // the other suggestions
	// Find returns the products of an organisation whose code or description is a text, apart from case, spaces and punctuation.
	Find func(ctx context.Context, org tenant.ID, text string) ([]OwnProduct, error)
}

// Confidence of the code of an own product.
const (
	acceptedConfidence = 0.95 // customs accepted the code
	ownConfidence      = 0.9  // customs has not accepted it yet
)

// ownCodeNote is the note about the code of a product that cannot be declared.
const ownCodeNote = "Goods cannot be declared under the code of your product “%s”. Correct the product."

// Classify suggests codes.
func (o *OwnProducts) Classify(ctx context.Context, org tenant.ID, q Question) (Suggestions, error) {
	found, err := o.Next(ctx, org, q)
	if err != nil || org == "" {
		return found, err
	}
	products, err := o.Find(ctx, org, q.Description)
	if err != nil || len(products) == 0 {
		return found, err
	}
	x, err := o.Tariff.wait(ctx)
	if err != nil {
		return Suggestions{}, err
	}
	own := make([]Suggestion, 0, len(products))
	notes := slices.Clone(found.Notes)
	for _, p := range products {
		s, ok := x.ownSuggestion(&p, o.Tariff.day(q.At))
		if _, there := known(s.Code, own); !ok || there {
			continue
		}
		if own = append(own, s); !s.Validated {
			notes = append(notes, fmt.Sprintf(ownCodeNote, p.Code))
		}
	}
	if len(own) == 0 {
		return found, nil
	}
	sorting.Stable(own, func(a, b Suggestion) int { return cmp.Compare(b.Confidence, a.Confidence) })
	found.Question = nil
	found.Suggestions, found.Notes = appendOffline(own[:min(len(own), maxSuggestions)], found.Suggestions), notes
	return found, nil
}

// ownSuggestion returns the code of a product as a suggestion, if it has ten digits or the tariff has one code that begins with it.
func (r *readyIndex) ownSuggestion(p *OwnProduct, day string) (s Suggestion, ok bool) {
	code := p.CommodityCode
	if !validCode(code) {
		lines := r.index.Classify(classify.Question{Description: code, Day: day}).Suggestions
		if code == "" || len(lines) != 1 {
			return s, false
		}
		code = lines[0].Code
	}
	if s, ok = r.suggestion(code, day); !ok {
		s = Suggestion{Code: code, Reasoning: "The tariff in force does not have this code."}
	}
	n := 0
	for _, accepted := range p.Accepted {
		if accepted != "" && accepted == code[:min(len(accepted), len(code))] {
			n++
		}
	}
	switch {
	case !s.Validated:
		s.Confidence = maxUnknownCode
	case n > 0:
		s.Confidence = acceptedConfidence
	default:
		s.Confidence = ownConfidence
	}
	s.Reasoning = oneLine(fmt.Sprintf("Your product “%s”: “%s”. %s %s", p.Code, oneLine(p.Description, maxReason), p.timesAccepted(n), s.Reasoning), 2*maxReason)
	return s, true
}

// timesAccepted says how often customs accepted the code of a product.
func (p *OwnProduct) timesAccepted(n int) string {
	switch {
	case n == 0:
		return "Customs has not accepted this code for it yet."
	case p.More:
		return fmt.Sprintf("Customs accepted this code for it at least %d times.", n)
	case n == 1:
		return "Customs accepted this code for it once."
	}
	return fmt.Sprintf("Customs accepted this code for it %d times.", n)
}
