// Package assist connects the helpers (classify, extract, explain, mapping and language
// models) with the tariff in force, the current day and the organisation's own records.
package assist

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Offline is the source of an answer without a language model.
const Offline = "offline"

// Question asks for the commodity code of goods.
type Question struct {
	Description     string
	CountryOfOrigin string   // for a language model; the offline engine does not use it
	Answers         []string // to the questions before, as their choices give them
	// At decides which codes are valid and which duties are in force; the zero time is real time. A test organisation has
	// the time of its test clock.
	At time.Time
}

// Suggestion is a code that goods may have, with its duty.
type Suggestion struct {
	Code           string  `json:"code" pattern:"^[0-9]{10}$" doc:"Commodity code" example:"6109100010"`
	Description    string  `json:"description" doc:"Descriptions from the heading down to the code" example:"T-shirts, singlets and other vests, knitted or crocheted – Of cotton – T-shirts"`
	Confidence     float64 `json:"confidence" minimum:"0" maximum:"1" doc:"How often a suggestion like this is right: of ten with 0.8, eight are" example:"0.83"`
	Reasoning      string  `json:"reasoning" doc:"The words that matched, a similar text, and the path to the code"`
	DutyExpression string  `json:"dutyExpression" doc:"Third-country duty with the day for which it is known; empty if none is known" example:"12.00% (as of 2021-01-01)"`
	Validated      bool    `json:"validated" doc:"Whether goods can be declared under the code today, by the tariff in force"`
}

// Suggestions are the codes that goods may have.
type Suggestions struct {
	Suggestions []Suggestion `json:"suggestions" maxItems:"10" doc:"The most likely code first; empty without a known word"`
	Notes       []string     `json:"notes" doc:"How to describe the goods better"`

	Question *GoodsQuestion `json:"question" doc:"The question whose answer helps most; null if none does, or three were answered"`
	Source   string         `json:"-"`
}

// Classifier suggests commodity codes offline. It uses an index of the tariff in force,
// which it keeps in a file because building one takes more than a second. When another
// tariff comes into force, it answers from the old index until the new one is ready.
type Classifier struct {
	Imported func() *tariff.Snapshot   // the imported tariff in force; nil if it is the own one
	Everyday func() *nomenclature.Tree // its everyday words are used with an imported tariff; nil for none
	Now      func() time.Time
	History  *Histories   // nil for none
	File     string       // of the index; empty for none
	Log      *slog.Logger // of problems with the file; needed if File is set

	mu       sync.Mutex
	ready    *readyIndex
	building *build      // nil if none
	stored   *readyIndex // without an index: the file has the index of this tariff
}

// Classify suggests codes, also by the organisation's accepted declarations. An empty org
// has none. Answers with codes that the tariff does not have are an apierr.Error.
func (c *Classifier) Classify(ctx context.Context, org tenant.ID, q Question) (Suggestions, error) {
	x, err := c.wait(ctx)
	if err != nil {
		return Suggestions{}, err
	}
	if err := checkAnswers(x.index, q.Answers); err != nil {
		return Suggestions{}, err
	}
	own, err := c.History.of(ctx, org, x.index)
	if err != nil {
		return Suggestions{}, err
	}
	day := c.day(q.At)
	found := x.index.Classify(classify.Question{Description: q.Description, Day: day, Own: own, Answers: q.Answers})
	out := Suggestions{Suggestions: make([]Suggestion, len(found.Suggestions)), Notes: found.Notes, Question: goodsQuestion(found.Inquiry), Source: Offline}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	for i, s := range found.Suggestions {
		out.Suggestions[i] = Suggestion{
			Code: s.Code, Description: s.Description, Confidence: s.Confidence, Reasoning: s.Reasoning, Validated: s.Validated,
			DutyExpression: duty(x.tariff(), s.Code, day),
		}
	}
	return out, nil
}

// Compare compares a description with a commodity code, without any organisation's declarations.
func (c *Classifier) Compare(ctx context.Context, description, code string, at time.Time) (classify.Agreement, error) {
	x, err := c.wait(ctx)
	if err != nil {
		return classify.Agreement{}, err
	}
	return x.index.Agreement(classify.Question{Description: description, Day: c.day(at)}, code), nil
}

// day returns the British day of a time; the zero time is real time.
func (c *Classifier) day(at time.Time) string {
	if at.IsZero() {
		at = c.Now()
	}
	return at.In(calendar.London()).Format(time.DateOnly)
}

func duty(t *tariff.Snapshot, code, day string) string {
	line, known := t.Tariff.FindOn(code, day)
	if !known {
		return ""
	}
	return line.DutyWithDay()
}
