package filings

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// classify says under which rules the goods of a record fall; that is in the trail.
func (a *Filings) classify(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	if k.Classifier == nil {
		return apierr.Missing()
	}
	if err := c.View(func(tx page.Tx) error { _, err := tx.Filing(k.Kind, c.ID()); return err }); err != nil {
		return err
	}
	if err := c.TakeFromBudget(a.Helpers); err != nil {
		return c.Redisplay(err, func() error { return a.showRecord(c, k, nil) })
	}
	var answer any
	err = c.Update(func(tx page.Tx) (err error) {
		answer, err = a.Service.Classify(tx, c.Call(), k.Type, c.ID())
		return err
	})
	if err != nil {
		return err
	}
	said, err := k.answered(answer)
	if err != nil {
		return err
	}
	return a.showRecord(c, k, said)
}

// asks reports whether the classification of what is in a form was asked for.
func (k *kind) asks(c *page.Context, shown *formView) bool {
	return k.Classifier != nil && !shown.Turned && c.Value("do") == "classify"
}

// classifyForm says the same of a form that is not stored, with as much of it as there
// is; that something is still missing is no fault here.
func (a *Filings) classifyForm(c *page.Context, shown formView) error {
	if err := c.TakeFromBudget(a.Helpers); err != nil {
		return c.Redisplay(err, func() error { return a.showForm(c, shown) })
	}
	answer, err := shown.Classifier.ClassifyBody(shown.Body)
	if err != nil {
		return a.showForm(c, shown) // with what cannot be read
	}
	shown.Sheet = shown.body.Of(shown.Body)
	if shown.Classified, err = shown.answered(answer); err != nil {
		return err
	}
	return a.showForm(c, shown)
}

// answered is an answer as it is shown.
func (k *kind) answered(answer any) ([]*form.Field, error) {
	raw, err := json.Marshal(answer)
	sheet := k.says.Of(raw)
	inWords(sheet, sheet.Fields)
	return sheet.Fields, err
}

// inWords says what is told in texts in the words of forms.
func inWords(s *form.Sheet, fields []*form.Field) {
	for _, f := range fields {
		if f.Kind == form.Text || f.Kind == form.Area {
			f.Value = s.InWords(f.Value)
		}
		inWords(s, f.Fields)
		inWords(s, f.Rows)
	}
}
