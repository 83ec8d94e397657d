package declarations

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// selectedView is the data of the page that asks before the marked declarations are submitted, and of the one that says what
// became of them.
type selectedView struct {
	Mode         string // simulator or hmrc
	Declarations []selected
	Ready        int  // those that will be sent
	Blocked      int  // of them, those that customs would reject
	Ended        bool // they were sent
	Sent         int
}

// selected is a marked declaration.
type selected struct {
	row
	Version  int64           // that was reviewed; only this one is sent
	Findings []rules.Finding // what must be fixed and what should be checked
	Refusal  string          // why it will not be or was not sent; empty if it can be or was sent
}

// Blockers are the findings for which customs would reject the declaration.
func (s selected) Blockers() []rules.Finding { return s.of(rules.Blocker) }

// Warnings are the findings that should be checked.
func (s selected) Warnings() []rules.Finding { return s.of(rules.Warning) }

func (s selected) of(severity rules.Severity) []rules.Finding {
	return slices.DeleteFunc(slices.Clone(s.Findings), func(f rules.Finding) bool { return f.Severity != severity })
}

// confirmSelected shows what would be sent of the marked declarations, and what their reviews found.
func (d *Declarations) confirmSelected(c *page.Context) error {
	marked, err := d.readSelected(c)
	if err != nil {
		return c.Redisplay(err, func() error { return d.list(c) })
	}
	v := selectedView{Mode: d.Mode, Declarations: marked}
	for _, s := range marked {
		if s.Refusal != "" {
			continue
		}
		if v.Ready++; len(s.Blockers()) > 0 {
			v.Blocked++
		}
	}
	return c.Show("declarations-selected", "Submit declarations", v)
}

// submitSelected sends the marked declarations, each on its own: one that is refused stops no other.
func (d *Declarations) submitSelected(c *page.Context) error {
	marked, err := d.readSelected(c)
	if err != nil {
		return err
	}
	reviewed := versionsOf(c.R.PostForm)
	v := selectedView{Mode: d.Mode, Declarations: marked, Ended: true}
	for i := range marked {
		s := &marked[i]
		if s.Refusal != "" {
			continue
		}
		_, err := d.Customs.Submit(c.R.Context(), customs.Request{Call: c.Call(), If: reviewed[s.ID]}, s.ID)
		if refused, ok := apierr.As(err); ok {
			s.Refusal = refusalText(refused)
		} else if err != nil {
			return err
		} else {
			v.Sent++
		}
	}
	return c.Show("declarations-selected", "Submitted declarations", v)
}

// readSelected reads the marked declarations in one snapshot, with their reviews.
func (d *Declarations) readSelected(c *page.Context) (all []selected, err error) {
	ids := slices.Compact(slices.Sorted(slices.Values(c.R.PostForm["id"])))
	if ids = slices.DeleteFunc(ids, func(id string) bool { return !ident.IsUUID(id) }); len(ids) == 0 || len(ids) > pageSize {
		return nil, apierr.Invalid(apierr.Detail{Field: "id", Message: fmt.Sprintf("must be chosen: mark 1 to %d declarations", pageSize)})
	}
	err = c.View(func(tx page.Tx) error {
		shown, err := rows(tx, ids)
		if err != nil {
			return err
		}
		for _, r := range shown {
			s := selected{row: r}
			if !r.Editable() {
				s.Refusal = "It is " + strings.ToLower(string(r.Status)) + ", and is not sent again."
			} else if err := d.review(tx, &s); err != nil {
				return err
			}
			all = append(all, s)
		}
		return nil
	})
	return all, err
}

// review adds what must be fixed and what should be checked in a declaration.
func (d *Declarations) review(tx page.Tx, s *selected) error {
	in, err := d.Customs.ReviewInput(tx, s.ID)
	if err != nil {
		return err
	}
	found := slices.DeleteFunc(slices.Clone(d.Analysis.Review(in).Findings), func(f rules.Finding) bool { return f.Severity == rules.Info })
	s.Version, s.Findings = in.Filing.Version, rewordFindings(found)
	return nil
}

// versionsOf returns the version of each declaration that the user has seen the review of. The form has them in the order of the
// IDs.
func versionsOf(form url.Values) map[string]filing.IfVersion {
	versions := map[string]filing.IfVersion{}
	for i, id := range form["id"] {
		if i < len(form["version"]) {
			v, _ := strconv.ParseInt(form["version"][i], 10, 64)
			versions[id] = filing.IfVersion{v}
		}
	}
	return versions
}

// refusalText is the reason of a refusal, with the fields that it names.
func refusalText(e *apierr.Error) string {
	text := e.Message
	for _, detail := range e.Details {
		text += " " + fieldLabel(detail.Field) + ": " + detail.Message + "."
	}
	return text
}
