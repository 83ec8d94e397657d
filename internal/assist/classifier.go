// Package assist gives the helpers what they work with: the tariff in force, the day,
// and what the organisation that asks has done before.
package assist

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Offline is the source of an answer that no model had a part in.
const Offline = "offline"

// Question asks for the commodity code of goods.
type Question struct {
	Description     string
	CountryOfOrigin string // for whoever can make use of it; the codes do not depend on it
}

// Suggestion is a code that goods may have, with its duty.
type Suggestion struct {
	Code           string  `json:"code" pattern:"^[0-9]{10}$" doc:"Commodity code of ten digits" example:"6109100010"`
	Description    string  `json:"description" doc:"What falls under it, from the heading down" example:"T-shirts, singlets and other vests, knitted or crocheted – Of cotton – T-shirts"`
	Confidence     float64 `json:"confidence" minimum:"0" maximum:"1" doc:"How often a suggestion like this is right: of ten with 0.8, eight are" example:"0.83"`
	Reasoning      string  `json:"reasoning" doc:"The words that led to it, what is alike, and the way down to the code"`
	DutyExpression string  `json:"dutyExpression" doc:"Third-country duty with the day that it is known for; empty where none is known" example:"12.00% (as of 2021-01-01)"`
	Validated      bool    `json:"validated" doc:"Whether goods can be declared under the code today, by the tariff in force here"`
}

// Suggestions are the codes that goods may have.
type Suggestions struct {
	Suggestions []Suggestion `json:"suggestions" maxItems:"10" doc:"The likeliest first; none where the description says nothing that the nomenclature knows"`
	Notes       []string     `json:"notes" doc:"What would make the suggestions better"`
	Source      string       `json:"-"`
}

// Classifier suggests commodity codes offline. Its index is made of the tariff in
// force, and made anew beside the old one when another comes into force.
type Classifier struct {
	Current  func() *tariff.Snapshot
	Everyday func() *nomenclature.Tree // lends its everyday words to every other; nil for none
	Now      func() time.Time
	Past     *Past

	mu       sync.Mutex
	held     *held
	building chan struct{} // closed when what is being built is held; nil when nothing is
}

// held is an index and the tariff that it was made of.
type held struct {
	snapshot *tariff.Snapshot
	index    *classify.Index
}

// Classify suggests codes, with what the organisation has declared before in mind; the
// empty organisation has declared nothing.
func (c *Classifier) Classify(ctx context.Context, org tenant.ID, q Question) (Suggestions, error) {
	h, err := c.ready(ctx)
	if err != nil {
		return Suggestions{}, err
	}
	own, err := c.Past.of(ctx, org, h.index)
	if err != nil {
		return Suggestions{}, err
	}
	day := c.Now().In(calendar.London()).Format(time.DateOnly)
	found := h.index.Classify(classify.Question{Description: q.Description, Day: day, Own: own})
	out := Suggestions{Suggestions: make([]Suggestion, len(found.Suggestions)), Notes: found.Notes, Source: Offline}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	for i, s := range found.Suggestions {
		out.Suggestions[i] = Suggestion{
			Code: s.Code, Description: s.Description, Confidence: s.Confidence, Reasoning: s.Reasoning, Validated: s.Validated,
			DutyExpression: duty(h.snapshot, s.Code, day),
		}
	}
	return out, nil
}

// Leads gives the codes that a description leads to, by no organisation's own descriptions.
func (c *Classifier) Leads(ctx context.Context, description string) ([]classify.Suggestion, error) {
	h, err := c.ready(ctx)
	if err != nil {
		return nil, err
	}
	day := c.Now().In(calendar.London()).Format(time.DateOnly)
	return h.index.Classify(classify.Question{Description: description, Day: day}).Suggestions, nil
}

func duty(t *tariff.Snapshot, code, day string) string {
	line, known := t.Tariff.FindOn(code, day)
	if !known {
		return ""
	}
	return line.Stated()
}

// ready gives the index of the tariff in force, or the one before while that is made.
// Only who comes before there is any waits.
func (c *Classifier) ready(ctx context.Context) (*held, error) {
	for {
		h, made := c.look()
		if h != nil {
			return h, nil
		}
		select {
		case <-made:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look gives what is held, and has the index of another tariff made where there is one.
func (c *Classifier) look() (*held, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	current := c.Current()
	if (c.held == nil || c.held.snapshot != current) && c.building == nil {
		c.building = make(chan struct{})
		go c.build(current)
	}
	return c.held, c.building
}

func (c *Classifier) build(t *tariff.Snapshot) {
	h := &held{snapshot: t, index: learn(c.sources(t))}
	debug.FreeOSMemory() // learning takes several times what is kept of it
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = h
	close(c.building)
	c.building = nil
}

// ownIndex is the index of the tariff that the service ships. It never changes, so a process
// with several services learns it once.
var ownIndex = sync.OnceValue(func() *classify.Index { return classify.New(classify.Sources{Tree: tariff.OwnTree()}) })

func learn(s classify.Sources) *classify.Index {
	if s.Tree == tariff.OwnTree() && len(s.Words)+len(s.References)+len(s.Labelled) == 0 {
		return ownIndex()
	}
	return classify.New(s)
}

// sources are what a tariff has for an index, and what is lent to it.
func (c *Classifier) sources(t *tariff.Snapshot) classify.Sources {
	s := classify.Sources{Tree: t.Tree, References: t.References, Labelled: t.Labelled}
	if c.Everyday == nil {
		return s
	}
	if lender := c.Everyday(); lender != t.Tree {
		s.Words = classify.Words(lender)
	}
	return s
}
