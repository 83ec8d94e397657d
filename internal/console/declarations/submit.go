package declarations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// confirmation says exactly what will be sent.
type confirmation struct {
	*shown
	Mode       string // where to: simulator or hmrc
	Declarant  string
	Procedures string
	Again      bool // customs may have it already, so it is sent unchanged
	Mend       []rules.Finding
	Others     int // findings that are only worth knowing
}

func (d *Declarations) askToSubmit(c *page.Context) error {
	s, err := d.read(c)
	if err != nil {
		return err
	}
	if _, ok := d.Customs.Type.Lifecycle.Find(s.Filing.Status, lifecycle.Submit); !ok {
		return apierr.New(apierr.InvalidState, "This declaration cannot be submitted while it is %s.", strings.ToLower(string(s.Filing.Status)))
	}
	data := confirmation{shown: s, Mode: d.Mode, Declarant: s.declarant(), Procedures: s.procedures(), Again: s.Standing.Kind == "bad" && !s.May.Edit}
	for _, f := range s.Review.Findings {
		if f.Severity == rules.Info {
			data.Others++
			continue
		}
		data.Mend = append(data.Mend, f)
	}
	return c.Show("declaration-submit", "Submit "+s.Added.LRN, data)
}

// declarant is who declares, and for whom.
func (s *shown) declarant() string {
	switch s.Trader.Representation {
	case "DIRECT", "direct":
		return "you, on behalf of " + s.Client.Name
	case "INDIRECT", "indirect":
		return "you, in your own name, on behalf of " + s.Client.Name
	}
	return ""
}

// procedures are those of the items, each once.
func (s *shown) procedures() string {
	var all []string
	for i := range s.Declaration.Items {
		code := s.Declaration.Items[i].ProcedureCode
		if code == "" {
			code = map[bool]string{true: "4000", false: "1040"}[s.Imports()]
		}
		if !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (d *Declarations) submit(c *page.Context) error {
	_, err := d.Customs.Submit(c.R.Context(), customs.Request{Call: c.Call()}, c.ID())
	if err != nil {
		return d.refused(c, err)
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "declaration-submitted")
}

// refused shows the confirmation again with what customs, or the way to it, had to say.
func (d *Declarations) refused(c *page.Context, err error) error {
	f, ok := apierr.As(err)
	if !ok {
		return err
	}
	switch f.Code {
	case apierr.CustomsUnreachable, apierr.CustomsRejected, apierr.InvalidRequest, apierr.InvalidState:
	default:
		return err
	}
	text := f.Message
	for _, detail := range f.Details {
		text += fmt.Sprintf(" %s: %s.", where(detail.Field), detail.Message)
	}
	c.Problem = &page.Problem{Message: text}
	c.Status = 400
	if f.Code == apierr.CustomsUnreachable || f.Code == apierr.CustomsRejected {
		c.Status = 502
	}
	if err := d.askToSubmit(c); err != nil {
		return apierr.New(apierr.InvalidState, "%s", text)
	}
	return nil
}
