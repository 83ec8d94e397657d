// Package classification is the page that suggests commodity codes for a description of goods, with the place of each in the
// tariff, its duty, and how the suggestions differ.
package classification

import (
	"context"
	"embed"
	"fmt"
	"net/url"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

//go:embed pages assets
var files embed.FS

// maxDescription is the maximum length of a description in characters.
const maxDescription = 512

// Classification is the area, with the services that it uses.
type Classification struct {
	Classify     func(context.Context, tenant.ID, assist.Question) (assist.Suggestions, error)
	Tariff       func() *tariff.Snapshot // in force
	AssistBudget ratelimit.Budget        // per organisation
}

// Area returns the area's routes and pages.
func (a *Classification) Area() page.Area {
	return page.Area{
		Name: "classification", Pages: files, Assets: files,
		Actions: []page.Action{{Path: "/classify", Name: "Classify goods", For: page.ForViewer}},
		Routes:  []page.Route{page.Get("/classify", page.ForViewer, a.form), page.Post("/classify", page.ForViewer, a.classify)},
	}
}

// view is the data of the page.
type view struct {
	Description, Origin string
	Asked               bool
	Candidates          []candidate
	Notes               []string
	Question            *assist.GoodsQuestion // nil for none
	Answers             []string              // to the questions before
}

// firstCandidates is how many suggestions are shown at first.
const firstCandidates = 3

// First returns the most likely suggestions.
func (v view) First() []candidate { return v.Candidates[:min(firstCandidates, len(v.Candidates))] }

// Others returns the other suggestions.
func (v view) Others() []candidate { return v.Candidates[len(v.First()):] }

// form shows the form, with the description of a link that leads to it.
func (a *Classification) form(c *page.Context) error {
	q := c.R.URL.Query()
	return c.Show("classification", "Classify goods", view{Description: q.Get("description"), Origin: q.Get("origin")})
}

// labels are what the fields are called in error messages.
var labels = map[string]string{"description": "The description", "origin": "The country of origin"}

// classify shows suggestions.
func (a *Classification) classify(c *page.Context) error {
	c.Label = func(field string) string { return labels[field] }
	shown := view{Description: c.Value("description"), Origin: c.Value("origin")}
	shown.Answers = answersOf(c.R.PostForm["answer"])
	show := func() error { return c.Show("classification", "Classify goods", shown) }
	question, err := questionOf(shown, c.Now())
	if err == nil {
		err = c.TakeFromBudget(a.AssistBudget)
	}
	var found assist.Suggestions
	if err == nil {
		found, err = a.Classify(c.R.Context(), c.Session.Org, question)
	}
	if err != nil {
		return c.Redisplay(err, show)
	}
	shown.Asked, shown.Notes, shown.Question = true, found.Notes, found.Question
	shown.Candidates = candidates(found.Suggestions, a.Tariff(), c.Now().In(calendar.London()).Format(time.DateOnly))
	return show()
}

// answersOf returns the first few answers of the form that are answers of choices.
func answersOf(all []string) (answers []string) {
	for _, a := range all {
		if classify.ValidAnswer(a) && len(answers) < classify.MaxAnswers {
			answers = append(answers, a)
		}
	}
	return answers
}

// questionOf checks the form.
func questionOf(v view, at time.Time) (q assist.Question, err error) {
	q = assist.Question{Description: v.Description, Answers: v.Answers, At: at}
	var details []apierr.Detail
	switch n := utf8.RuneCountInString(v.Description); {
	case n == 0:
		details = append(details, apierr.Detail{Field: "description", Message: "is required"})
	case n > maxDescription:
		details = append(details, apierr.Detail{Field: "description", Message: fmt.Sprintf("must have at most %d characters", maxDescription)})
	}
	if v.Origin != "" {
		country, known := ident.FindCountry(v.Origin)
		if !known {
			details = append(details, apierr.Detail{Field: "origin", Message: "must be a country by its name or its two letters, such as GB"})
		}
		q.CountryOfOrigin = string(country)
	}
	if details != nil {
		return q, apierr.Invalid(details...)
	}
	return q, nil
}

// ProductURL returns the form of a new product with the code.
func (v view) ProductURL(code string) string {
	return "/products/new?" + url.Values{"commodityCode": {code}, "description": {v.Description}}.Encode()
}
