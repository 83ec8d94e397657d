package filings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// formView is the data of the form of a new or stored record.
type formView struct {
	*kind
	*form.FilledForm
	ID         string // empty for a new one
	Title      string
	Action     string
	Back       string
	Version    string
	Review     *reviewView   // nil if no check was requested
	Classified []*form.Field // nil if no classification was requested
	Offer      *offerView    // nil if no records are offered
	Taken      *takenView    // nil if nothing was taken
}

func (a *Filings) newPage(c *page.Context) error {
	k, shut, err := a.enabledKind(c)
	if err != nil || shut {
		return err
	}
	if query := c.R.URL.Query(); a.Forms[k.Kind].New != "" && !query.Has(allMembers) && !query.Has("copy") {
		return c.Redirect(a.Forms[k.Kind].New + "?" + query.Encode())
	}
	sheet, err := a.initialForm(c, k)
	if err != nil {
		return err
	}
	shown := k.newForm(sheet)
	for name, texts := range c.R.URL.Query() {
		if k.body.Has(name) && texts[0] != "" {
			shown.Set(name, texts[0])
		}
	}
	if query := c.R.URL.Query(); query.Has("take") {
		s, ok := k.sourceNamed(query.Get("take"))
		if !ok || len(query["record"]) == 0 {
			return apierr.Missing()
		}
		if err := a.take(c, &shown, s, query["record"]); err != nil {
			return err
		}
	}
	return a.showForm(c, shown)
}

// initialForm returns an empty form, or the record in the query "copy".
func (a *Filings) initialForm(c *page.Context, k *kind) (*form.FilledForm, error) {
	id := c.R.URL.Query().Get("copy")
	if id == "" {
		return k.body.Blank(), nil
	}
	var f filing.Filing
	err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(k.Kind, id); return err })
	return k.body.Fill(f.Body), err
}

func (k *kind) newForm(s *form.FilledForm) formView {
	return formView{kind: k, FilledForm: s, Title: "New " + k.Singular, Action: k.Base + "/new", Back: k.Base}
}

var memberName = lazyregexp.New(`\b[a-z]+(?:[A-Z][a-z0-9]+)+\b`)

// suggest suggests members for free-form objects: those that rules read.
func (k *kind) suggest(s *form.FilledForm) {
	for _, f := range s.Fields {
		if f.Kind != form.FreeForm || len(f.Fields) > 0 {
			continue
		}
		var names []string
		for _, rule := range k.Rules {
			if rule.Field == f.Name {
				names = append(names, memberName.FindAllString(rule.Title, -1)...)
			} else if name, within := strings.CutPrefix(rule.Field, f.Name+"."); within {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			f.Suggestions = append(f.Suggestions, form.Option{Value: name, Label: form.Label(name)})
		}
	}
}

// showForm shows a form with the records that its fields can refer to.
func (a *Filings) showForm(c *page.Context, shown formView) error {
	shown.suggest(shown.FilledForm)
	a.offerRoutes(c, &shown)
	err := c.View(func(tx page.Tx) error {
		for _, link := range shown.Links {
			if err := a.setChoices(tx, &shown, link); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.ShowErrors(shown.Errors)
	if shown.Offer == nil && shown.Taken == nil && shown.Review == nil && shown.Classified == nil && !shown.RowsChanged {
		shown.FocusFirst(shown.ID != "")
	}
	return c.Show("filings-form", shown.Title, shown)
}

// create creates a record. The form is shown again after adding or removing a row, after a
// check, and if it has errors.
func (a *Filings) create(c *page.Context) error {
	k, shut, err := a.enabledKind(c)
	if err != nil || shut {
		return err
	}
	sheet, err := a.readForm(c, k)
	if err != nil {
		return err
	}
	shown := k.newForm(sheet)
	if k.wantsClassification(c, &shown) {
		return a.classifyForm(c, shown)
	}
	done, err := a.redisplay(c, &shown)
	if err != nil {
		return err
	}
	if done {
		return a.showForm(c, shown)
	}
	in, err := k.Prepare(c.R.Context(), c.Session.Org, shown.Body, c.Now())
	var f filing.Filing
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) { f, err = a.Service.Create(tx, c.Call(), k.Type, in); return err })
	}
	if err != nil {
		return a.showErrors(c, shown, err)
	}
	return c.RedirectWithNotice(k.Base+"/"+f.ID, "filing-created")
}

// Values of buttons that show the form again: with the fields that its layout has for the answers, and with a review.
const (
	refillButton = "refill"
	checkButton  = "check"
)

// redisplay reports whether the form must be shown again without storing it. It also offers records, takes values from them,
// and reviews the form, if that was requested.
func (a *Filings) redisplay(c *page.Context, shown *formView) (bool, error) {
	if done, err := a.takes(c, shown); done {
		return true, err
	}
	switch button := c.Value("do"); {
	case button == refillButton:
		shown.FilledForm = shown.body.Fill(shown.Body)
		return true, nil
	case shown.RowsChanged || shown.Errors != nil:
		return true, nil
	case button != checkButton:
		return false, nil
	}
	in, err := shown.Parse(shown.Body, c.Now())
	if err != nil {
		f, _ := apierr.As(err)
		shown.AddErrors(f.Details...)
		return true, nil
	}
	found, err := a.Service.ReviewIn(c.Mode(), shown.Type, &filing.Filing{Body: in.Raw}, c.Now())
	if err == nil {
		shown.Review = shown.reviewOf(shown.FilledForm, found)
		shown.AddFindings(found.Findings)
	}
	return true, err
}

// showErrors shows a form with the errors of a service.
func (a *Filings) showErrors(c *page.Context, shown formView, err error) error {
	f, ok := apierr.As(err)
	if !ok || f.Code != apierr.InvalidRequest && f.Code != apierr.ReferenceTaken || len(f.Details) == 0 {
		return err
	}
	shown.AddErrors(f.Details...)
	return a.showForm(c, shown)
}

func (a *Filings) editPage(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(k.Kind, c.ID()); return err }); err != nil {
		return err
	}
	if own := a.Forms[k.Kind]; own.Change != "" && !c.R.URL.Query().Has(allMembers) {
		return c.Redirect(strings.ReplaceAll(own.Change, "{id}", f.ID))
	}
	if _, can := k.Lifecycle.Find(f.Status, lifecycle.Amend); !can {
		return apierr.New(apierr.InvalidState, "This %s can no longer be changed because it is %s.", k.Singular, strings.ToLower(form.Words(string(f.Status))))
	}
	shown := k.editForm(k.body.Fill(f.Body), f.ID, strconv.FormatInt(f.Version, 10))
	if len(k.Rules) > 0 {
		found, err := a.Service.ReviewIn(c.Mode(), k.Type, &f, c.Now())
		if err != nil {
			return err
		}
		shown.AddFindings(found.Findings)
	}
	return a.showForm(c, shown)
}

func (k *kind) editForm(s *form.FilledForm, id, version string) formView {
	at := k.Base + "/" + id
	return formView{kind: k, FilledForm: s, ID: id, Version: version, Title: "Change this " + k.Singular, Action: at + "/edit", Back: at}
}

// amend changes a stored record.
func (a *Filings) amend(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	if err := c.View(func(tx page.Tx) error { _, err := tx.Filing(k.Kind, c.ID()); return err }); err != nil {
		return err
	}
	sheet, err := a.readForm(c, k)
	if err != nil {
		return err
	}
	shown := k.editForm(sheet, c.ID(), c.Value("version"))
	if k.wantsClassification(c, &shown) {
		return a.classifyForm(c, shown)
	}
	done, err := a.redisplay(c, &shown)
	if err != nil {
		return err
	}
	if done {
		return a.showForm(c, shown)
	}
	in, err := k.Parse(shown.Body, c.Now())
	if err == nil {
		err = a.save(c, k, in)
	}
	if err != nil {
		return a.showErrors(c, shown, err)
	}
	return c.RedirectWithNotice(shown.Back, "filing-amended")
}

// save stores the input once the authority of the record has accepted it, if it has one.
func (a *Filings) save(c *page.Context, k *kind, in filing.Input) error {
	if err := c.View(func(tx page.Tx) error { return unchanged(tx, c, k) }); err != nil {
		return err
	}
	act := exchange.Action{By: lifecycle.Amend, Input: in.Raw}
	if _, handled, err := a.Authorities.Act(c.R.Context(), outbox.Request{Call: c.Call()}, k.Type, c.ID(), act); handled || err != nil {
		return err
	}
	return c.Update(func(tx page.Tx) error { return a.replace(tx, c, k, in) })
}

// unchanged returns an error if another user has changed the record since the form was shown.
func unchanged(tx page.Tx, c *page.Context, k *kind) error {
	f, err := tx.Filing(k.Kind, c.ID())
	if err == nil && strconv.FormatInt(f.Version, 10) != c.Value("version") {
		err = apierr.New(apierr.InvalidState, "Another user has changed this %s in the meantime, so nothing was saved. Copy your input, then open the form again.", k.Singular)
	}
	return err
}

// replace stores the input, unless another user has changed the record in the meantime.
func (a *Filings) replace(tx page.Tx, c *page.Context, k *kind, in filing.Input) error {
	if err := unchanged(tx, c, k); err != nil {
		return err
	}
	_, err := a.Service.Transition(tx, c.Call(), k.Type, c.ID(), lifecycle.Amend, filing.TransitionData{Input: &in})
	return err
}
