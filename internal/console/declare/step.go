package declare

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// step is that of the path.
func step(c *page.Context) (worksheet.Step, error) {
	s := worksheet.Step(c.R.PathValue("step"))
	if !s.Known() {
		return s, apierr.New(apierr.NotFound, "There is no such page.")
	}
	return s, nil
}

// page shows a step as it was left; with what is wrong in it where the address asks.
func (d *Declare) page(c *page.Context) error {
	at, err := step(c)
	if err != nil {
		return err
	}
	q := c.R.URL.Query()
	item, _ := strconv.Atoi(q.Get("item"))
	f := &form{Step: at, Item: item - 1}
	return d.show(c, f, func(tx page.Tx) (err error) {
		if f.Sheet, err = d.sheet(c, tx); err != nil || !q.Has("faults") {
			return err
		}
		f.Item = min(max(f.Item, 0), len(f.Sheet.Items)-1)
		d.complain(c, f)
		return nil
	})
}

// show reads what a step needs in one snapshot, and shows it.
func (d *Declare) show(c *page.Context, f *form, read func(page.Tx) error) error {
	c.Label = worksheet.Label
	err := c.View(func(tx page.Tx) error {
		if err := read(tx); err != nil {
			return err
		}
		return d.gather(c, tx, f)
	})
	if err != nil {
		return err
	}
	d.compose(c, f)
	title := f.Title + ": " + f.Name()
	return c.Show("declare-"+string(f.Step), title, f)
}

// complain puts what is wrong with the open part of a step at the top of the page and
// beside its fields, and tells whether anything is.
func (d *Declare) complain(c *page.Context, f *form) bool {
	wrong := worksheet.ErrorsOf(f.Sheet.Errors(d.rules(c)), f.Step, f.Item)
	if wrong == nil {
		return false
	}
	c.Label = worksheet.Label
	_ = c.Redisplay(apierr.Invalid(wrong...), func() error { return nil }) // only notes what is wrong
	return true
}

// send takes what was typed into a step, and does what the button says.
func (d *Declare) send(c *page.Context) error {
	at, err := step(c)
	if err != nil {
		return err
	}
	f := &form{Step: at}
	verb, what, _ := strings.Cut(c.Value("go"), ":")
	if verb == "check" {
		return d.check(c, f)
	}
	var next string
	err = c.Update(func(tx page.Tx) (err error) {
		if f.Sheet, err = d.sheet(c, tx); err != nil {
			return err
		}
		if err := d.take(c, tx, f); err != nil {
			return err
		}
		if verb == "save" || verb == "submit" {
			next, err = d.finish(c, tx, f, verb)
			return err
		}
		if next, err = d.follow(c, f, verb, what); err != nil {
			return err
		}
		return tx.SaveWorksheet(c.Session.UserID, f.Sheet)
	})
	switch {
	case apierr.Is(err, apierr.InvalidRequest), apierr.Is(err, apierr.InvalidState) && f.Sheet != nil && f.Sheet.ID != "":
		c.Label = worksheet.Label
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

// check says what is wrong with what was typed so far, and keeps nothing.
func (d *Declare) check(c *page.Context, f *form) error {
	return d.show(c, f, func(tx page.Tx) (err error) {
		if f.Sheet, err = d.sheet(c, tx); err != nil {
			return err
		}
		if err := d.take(c, tx, f); err != nil {
			return err
		}
		d.complain(c, f)
		return nil
	})
}

// follow says where a button leads; nowhere where the same step is shown again.
func (d *Declare) follow(c *page.Context, f *form, verb, what string) (next string, err error) {
	s, n := f.Sheet, f.Item
	switch verb {
	case "back":
		return path(s.ID, f.Step.Back()), nil
	case "step":
		if to := worksheet.Step(what); to.Known() {
			return path(s.ID, to), nil
		}
	case "item":
		return itemPath(s.ID, number(what)), nil
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
	case "add-document":
		return path(s.ID, f.Step), s.AddDocument()
	case "remove-document":
		if k := number(what); k < len(s.Documents) {
			s.RemoveDocument(k)
		}
		return path(s.ID, f.Step), nil
	case "next":
		return d.onwards(c, f), nil
	}
	return "", nil
}

// onwards is the next step, or the next item that something is wrong with; the same
// page where something is wrong with what is on it.
func (d *Declare) onwards(c *page.Context, f *form) string {
	tidy(f.Sheet)
	if d.complain(c, f) {
		return ""
	}
	if f.Step != worksheet.Goods {
		return path(f.Sheet.ID, f.Step.Next())
	}
	wrong := wrongItems(f.Sheet.Errors(d.rules(c)))
	for n := range f.Sheet.Items {
		if other := (f.Item + n) % len(f.Sheet.Items); wrong[other] {
			return itemPath(f.Sheet.ID, other)
		}
	}
	return path(f.Sheet.ID, f.Step.Next())
}

// itemPath is the address of an item.
func itemPath(id string, n int) string {
	return path(id, worksheet.Goods) + "?item=" + strconv.Itoa(n+1) + "#item"
}

// number is one that a button names; the first for anything else.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// finish saves the worksheet, and says which page comes then.
func (d *Declare) finish(c *page.Context, tx page.Tx, f *form, verb string) (string, error) {
	tidy(f.Sheet)
	if wrong := f.Sheet.Errors(d.rules(c)); wrong != nil {
		return "", apierr.Invalid(wrong...)
	}
	id, err := d.save(c, tx, f.Sheet)
	if err != nil {
		return "", err
	}
	if verb == "submit" {
		return "/declarations/" + id + "/submit", nil
	}
	return "/declarations/" + id + "?done=declaration-saved", nil
}
