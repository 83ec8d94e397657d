package filings

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// classify classifies the goods of a record, and records that as an event.
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
	if err := c.TakeFromBudget(a.AssistBudget); err != nil {
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
	answerShown, err := k.answerFields(answer)
	if err != nil {
		return err
	}
	return a.showRecord(c, k, answerShown)
}

// wantsClassification reports whether the button to classify the form was pressed.
func (k *kind) wantsClassification(c *page.Context, shown *formView) bool {
	return k.Classifier != nil && !shown.RowsChanged && c.Value("do") == "classify"
}

// classifyForm classifies the goods of a form that is not stored. The form may be incomplete.
func (a *Filings) classifyForm(c *page.Context, shown formView) error {
	if err := c.TakeFromBudget(a.AssistBudget); err != nil {
		return c.Redisplay(err, func() error { return a.showForm(c, shown) })
	}
	answer, err := shown.Classifier.ClassifyBody(shown.Body)
	if err != nil {
		return a.showForm(c, shown) // shows which values are invalid
	}
	shown.FilledForm = shown.body.Fill(shown.Body)
	if shown.Classified, err = shown.answerFields(answer); err != nil {
		return err
	}
	return a.showForm(c, shown)
}

// answerFields returns the answer of a classifier as fields.
func (k *kind) answerFields(answer any) ([]*form.Field, error) {
	raw, err := json.Marshal(answer)
	sheet := k.answer.Fill(raw)
	rewordFields(sheet, sheet.Fields)
	return sheet.Fields, err
}

// rewordFields replaces member names in texts by the labels of the form.
func rewordFields(s *form.FilledForm, fields []*form.Field) {
	for _, f := range fields {
		if f.Kind == form.Text || f.Kind == form.TextArea {
			f.Value = s.ReplaceNames(f.Value)
		}
		rewordFields(s, f.Fields)
		rewordFields(s, f.Rows)
	}
}
