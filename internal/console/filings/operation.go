package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// operation is a further message about a record, with the form of what it states.
type operation struct {
	filing.Operation
	form *form.Form
}

// operationsOf returns the operations of a kind.
func operationsOf(schemas *schema.Schemas, t *filing.Type) (all []operation) {
	for _, o := range t.Operations {
		all = append(all, operation{o, form.New(schemas, o.Body, t.ChoiceTexts).Layout(o.Layout)})
	}
	return all
}

// operationSteps returns the operations that the state of a record allows.
func (k *kind) operationSteps(f *filing.Filing) (steps []step) {
	for _, o := range k.operations {
		if o.IsPossible(f.Status) {
			steps = append(steps, step{k.Base + "/" + f.ID + "/operations/" + string(o.Action), o.Title, tenant.Member, false, false})
		}
	}
	return steps
}

// operationView is the data of the page of an operation.
type operationView struct {
	*kind
	*form.FilledForm
	operation
	Heading, Record string // the title of the page, and the name of the record
	Path, Back      string
}

// operationPage shows the form of an operation.
func (a *Filings) operationPage(c *page.Context) error {
	shown, err := a.operation(c)
	if err != nil {
		return err
	}
	shown.FilledForm = shown.form.Blank()
	return a.showOperation(c, shown)
}

// operation returns the operation in the path, if the record allows it.
func (a *Filings) operation(c *page.Context) (shown operationView, err error) {
	k, err := a.kind(c)
	if err != nil {
		return shown, err
	}
	return shown, c.View(func(tx page.Tx) error {
		f, err := tx.Filing(k.Kind, c.ID())
		if err != nil {
			return err
		}
		for _, o := range k.operations {
			if o.Action != lifecycle.Action(c.R.PathValue("operation")) {
				continue
			}
			shown = operationView{kind: k, operation: o, Heading: o.Title, Record: k.title(&f), Path: c.R.URL.Path, Back: k.Base + "/" + f.ID}
			if !o.IsPossible(f.Status) {
				return o.NotPossible(k.Singular, f.Status)
			}
			return nil
		}
		return apierr.Missing()
	})
}

func (a *Filings) showOperation(c *page.Context, shown operationView) error {
	c.ShowErrors(shown.Errors)
	if !shown.RowsChanged {
		shown.FocusFirst(false)
	}
	return c.Show("filings-operation", shown.Heading, shown)
}

// operate sends the message of an operation.
func (a *Filings) operate(c *page.Context) error {
	shown, err := a.operation(c)
	if err != nil {
		return err
	}
	shown.FilledForm = shown.form.Read(c.R.PostForm)
	if shown.RowsChanged || shown.Errors != nil {
		return a.showOperation(c, shown)
	}
	act := exchange.Action{By: shown.Action, Input: shown.Body}
	_, handled, err := a.Authorities.Act(c.R.Context(), outbox.Request{Call: c.Call()}, shown.Type, c.ID(), act)
	if refused, is := apierr.As(err); is && len(refused.Details) > 0 {
		shown.AddErrors(refused.Details...)
		return a.showOperation(c, shown)
	}
	if err == nil && !handled {
		err = apierr.New(apierr.InvalidState, "This %s was not sent to an authority, so that nothing can be sent about it.", shown.Singular)
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(shown.Back, "filing-operated")
}
