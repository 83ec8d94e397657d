package declare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// step returns the step in the path.
func step(c *page.Context) (worksheet.Step, error) {
	s := worksheet.Step(c.R.PathValue("step"))
	if !s.Known() {
		return s, apierr.New(apierr.NotFound, "This page does not exist.")
	}
	return s, nil
}

// page shows a step as stored; with the query "faults" it also shows errors.
func (d *Declare) page(c *page.Context) error {
	at, err := step(c)
	if err != nil {
		return err
	}
	q := c.R.URL.Query()
	item, _ := strconv.Atoi(q.Get("item"))
	f := &stepView{Step: at, Item: item - 1, query: q}
	return d.show(c, f, func(tx page.Tx) (err error) {
		if f.Worksheet, err = d.worksheet(c, tx); err != nil {
			return err
		}
		f.Item = min(max(f.Item, 0), len(f.Worksheet.Items)-1)
		if f.hasMembers() {
			if err := f.openSection(c, q); err != nil {
				return err
			}
			if f.Section != "" {
				d.fillMembers(f, q)
			}
		}
		if q.Has("faults") {
			d.showErrors(c, f)
		}
		return nil
	})
}

// show reads in one snapshot what a step needs, and shows it.
func (d *Declare) show(c *page.Context, f *stepView, read func(page.Tx) error) error {
	c.Label = labelOf
	err := c.View(func(tx page.Tx) error {
		if err := read(tx); err != nil {
			return err
		}
		return d.load(c, tx, f)
	})
	if err != nil {
		return err
	}
	if f.OfTemplate() && !slices.Contains(templateSteps, f.Step) {
		return c.Redirect(path(f.Worksheet.ID, stepPage))
	}
	d.buildQuestions(c, f)
	title := f.Title + ": " + f.Name()
	return c.Show("declare-"+string(f.Step), title, f)
}

// showErrors shows the errors of a step's open part at the top of the page and beside the
// fields, and reports whether there are any.
func (d *Declare) showErrors(c *page.Context, f *stepView) bool {
	if f.hasMembers() {
		return d.showMemberErrors(c, f)
	}
	wrong := errorsOn(d.errors(c, f), f)
	if wrong == nil {
		return false
	}
	c.Label = labelOf
	_ = c.Redisplay(apierr.Invalid(wrong...), func() error { return nil }) // sets c.Problem only
	for i, e := range c.Problem.Fields {
		if id := rateOf(f.Worksheet, e.Field); id != "" {
			c.Problem.Fields[i].Field = id
		}
	}
	return true
}

// errorAt returns the error that is shown at a control; empty for none.
func errorAt(c *page.Context, id string) string {
	if c.Problem != nil {
		for _, e := range c.Problem.Fields {
			if e.Field == id {
				return e.Message
			}
		}
	}
	return ""
}

// submitStep reads the form of a step and runs the button's action.
func (d *Declare) submitStep(c *page.Context) error {
	at, err := step(c)
	if err != nil {
		return err
	}
	f := &stepView{Step: at}
	verb, what, _ := strings.Cut(c.Value("go"), ":")
	if verb == "check" {
		return d.check(c, f)
	}
	var next string
	err = c.Update(func(tx page.Tx) (err error) {
		if f.Worksheet, err = d.worksheet(c, tx); err != nil {
			return err
		}
		if err := d.readStep(c, tx, f); err != nil {
			return err
		}
		if f.Members != nil && f.Members.RowsChanged {
			return nil // the form is shown again, and nothing is stored
		}
		if verb == "save" || verb == "submit" {
			next, err = d.finish(c, tx, f, verb)
			return err
		}
		switch verb {
		case "add-excise":
			next, err = path(f.Worksheet.ID, f.Step), d.addExcise(tx, f.Worksheet, what)
		case "add-summary":
			next, err = path(f.Worksheet.ID, f.Step), d.addSummary(tx, f.Worksheet, what)
		default:
			next, err = d.runButton(c, f, verb, what)
		}
		if err != nil {
			return err
		}
		return d.store(c, tx, f.Worksheet)
	})
	switch {
	case apierr.Is(err, apierr.InvalidRequest), apierr.Is(err, apierr.InvalidState) && f.Worksheet != nil && f.Worksheet.ID != "":
		c.Label = labelOf
		return c.Redisplay(err, func() error { return d.show(c, f, func(page.Tx) error { return nil }) })
	case err != nil:
		return err
	case next != "":
		return c.Redirect(next)
	case verb == "suggest":
		return d.suggest(c, f)
	}
	return d.show(c, f, func(page.Tx) error { return nil })
}

// check shows the errors of the input without storing it.
func (d *Declare) check(c *page.Context, f *stepView) error {
	return d.show(c, f, func(tx page.Tx) (err error) {
		if f.Worksheet, err = d.worksheet(c, tx); err != nil {
			return err
		}
		if err := d.readStep(c, tx, f); err != nil {
			return err
		}
		d.showErrors(c, f)
		return nil
	})
}

// runButton runs a button's action and returns the next page; empty to show the same step again.
func (d *Declare) runButton(c *page.Context, f *stepView, verb, what string) (next string, err error) {
	s, n := f.Worksheet, f.Item
	switch verb {
	case "back":
		return f.backPath(), nil
	case "members":
		return (&stepView{Worksheet: s, Step: worksheet.StepItem, Item: n}).SectionsPath(), nil
	case "all":
		f.All = !f.All
		return f.sectionPath(f.Section), nil
	case "window":
		list, from, _ := strings.Cut(what, ":")
		return f.sectionPath(f.Section) + "&" + fromPrefix + list + "=" + strconv.Itoa(buttonIndex(from)) + "#" + list, nil
	case "step":
		if to := worksheet.Step(what); to.Known() {
			return path(s.ID, to), nil
		}
	case "item":
		return itemPath(s.ID, buttonIndex(what)), nil
	case "add-item":
		n, err = s.AddItem()
		return itemPath(s.ID, n), err
	case "copy-item":
		n, err = s.CopyItem(n)
		return itemPath(s.ID, n), err
	case "remove-item":
		s.RemoveItem(n)
		return itemPath(s.ID, min(n, len(s.Items)-1)), nil
	case "pick":
		s.Items[n].Set("commodityCode", what)
		return itemPath(s.ID, n), nil
	case "take":
		s.Take(what)
		return "", nil
	case "add-document":
		return path(s.ID, f.Step), s.AddDocument()
	case "remove-document":
		if k := buttonIndex(what); k < len(s.Documents) {
			s.RemoveDocument(k)
		}
		return path(s.ID, f.Step), nil
	case "next":
		return d.nextPage(c, f), nil
	}
	return "", nil
}

// nextPage returns the path of the next step, or of the next item with errors. It is empty if
// the open part has errors.
func (d *Declare) nextPage(c *page.Context, f *stepView) string {
	dropEmptyDocuments(f.Worksheet)
	if d.showErrors(c, f) {
		return ""
	}
	switch {
	case f.hasMembers() && f.Section != "":
		return f.SectionsPath()
	case f.Step == worksheet.StepItem:
		return itemPath(f.Worksheet.ID, f.Item)
	case f.OfTemplate():
		return path(f.Worksheet.ID, stepPage)
	case f.Step != worksheet.StepGoods:
		return path(f.Worksheet.ID, f.Worksheet.Next(f.Step))
	}
	wrong := itemsWithErrors(d.errors(c, f))
	for n := range f.Worksheet.Items[1:] {
		if other := (f.Item + n + 1) % len(f.Worksheet.Items); wrong[other] {
			return itemPath(f.Worksheet.ID, other)
		}
	}
	return path(f.Worksheet.ID, f.Worksheet.Next(f.Step))
}

// backPath returns the path of the page before.
func (f *stepView) backPath() string {
	switch {
	case f.hasMembers() && f.Section != "":
		return f.SectionsPath()
	case f.Step == worksheet.StepItem:
		return itemPath(f.Worksheet.ID, f.Item)
	case f.OfTemplate():
		return path(f.Worksheet.ID, stepPage)
	}
	return path(f.Worksheet.ID, f.Worksheet.Back(f.Step))
}

// itemPath returns the path of an item.
func itemPath(id string, n int) string {
	return path(id, worksheet.StepGoods) + "?item=" + strconv.Itoa(n+1) + "#item"
}

// buttonIndex parses the index in a button's value; 0 if it is invalid.
func buttonIndex(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// finish saves the worksheet and returns the path of the next page.
func (d *Declare) finish(c *page.Context, tx page.Tx, f *stepView, verb string) (string, error) {
	dropEmptyDocuments(f.Worksheet)
	if wrong := d.errors(c, f); wrong != nil {
		return "", apierr.Invalid(wrong...)
	}
	if f.OfTemplate() {
		return d.saveTemplate(c, tx, d.complete(c, f.Worksheet))
	}
	amends, err := d.amends(tx, f.Worksheet)
	if err != nil {
		return "", err
	}
	if amends {
		return "/declarations/form/" + f.Worksheet.ID + "/amend", d.store(c, tx, f.Worksheet)
	}
	id, err := d.save(c, tx, d.complete(c, f.Worksheet))
	if err != nil {
		return "", err
	}
	if verb == "submit" {
		return "/declarations/" + id + "/submit", nil
	}
	return "/declarations/" + id + "?done=declaration-saved", nil
}
