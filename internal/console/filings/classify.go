package filings

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// classify says under which rules the goods of a record fall; that is in the trail.
func (a *Filings) classify(v *page.Visit) error {
	k, err := a.kind(v)
	if err != nil {
		return err
	}
	if k.Classifier == nil {
		return apierr.Missing()
	}
	if err := v.View(func(tx page.Tx) error { _, err := tx.Filing(k.Kind, v.ID()); return err }); err != nil {
		return err
	}
	if err := v.Spend(a.Helpers); err != nil {
		return v.Again(err, func() error { return a.showRecord(v, k, nil) })
	}
	var answer any
	err = v.Update(func(tx page.Tx) (err error) {
		answer, err = a.Service.Classify(tx, v.Call(), k.Type, v.ID())
		return err
	})
	if err != nil {
		return err
	}
	said, err := k.answered(answer)
	if err != nil {
		return err
	}
	return a.showRecord(v, k, said)
}

// asks tells whether the classification of what is in a form was asked for.
func (k *kind) asks(v *page.Visit, shown *formView) bool {
	return k.Classifier != nil && !shown.Turned && v.Value("do") == "classify"
}

// classifyForm says the same of a form that is not stored, with as much of it as there
// is; that something is still missing is no fault here.
func (a *Filings) classifyForm(v *page.Visit, shown formView) error {
	if err := v.Spend(a.Helpers); err != nil {
		return v.Again(err, func() error { return a.showForm(v, shown) })
	}
	answer, err := shown.Classifier.Of(shown.Body)
	if err != nil {
		return a.showForm(v, shown) // with what cannot be read
	}
	shown.Sheet = shown.body.Of(shown.Body)
	if shown.Classified, err = shown.answered(answer); err != nil {
		return err
	}
	return a.showForm(v, shown)
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
