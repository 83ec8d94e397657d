package statements

import (
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// declarePage asks for the declaration that a return is submitted with.
func (s *Statements) declarePage(c *page.Context) error {
	shown, err := s.ofReturn(c)
	if err != nil {
		return err
	}
	if !shown.Return.Draft() {
		return c.Redirect("/vat/returns/" + c.ID())
	}
	return c.Show("statements-vat-submit", "Submit the VAT return "+shown.Return.PeriodKey, shown)
}

// submitReturn sends a return to HMRC where the organisation is connected, and is a
// step like every other where it is not.
func (s *Statements) submitReturn(c *page.Context) error {
	var err error
	if c.Value("declared") == "" {
		err = apierr.Invalid(apierr.Detail{Field: "declared", Message: "must be made: tick the box"})
		return c.Redisplay(err, func() error { return s.declarePage(c) })
	}
	body, err := s.VAT.Submit(c.R.Context(), submission.Request{Request: outbox.Request{Call: c.Call()}, Origin: s.origin(c)}, c.ID())
	if err == nil && body == nil {
		return s.stepReturn(c, lifecycle.Submit, "/vat/returns/"+c.ID(), "return-submitted")
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.returnPage(c) })
	}
	return c.RedirectWithNotice("/vat/returns/"+c.ID(), "return-submitted")
}

// originPrefix begins the names of what the page's script tells of the device: those
// of HMRC's headers, in HMRC's form.
const originPrefix = "Gov-Client-"

// origin is what HMRC wants to know of the device that a person sits at: what the
// page's script has put into the form, and what the service sees for itself.
func (s *Statements) origin(c *page.Context) mtd.Origin {
	told := http.Header{}
	for name, values := range c.R.PostForm {
		if strings.HasPrefix(name, originPrefix) && len(values) == 1 && values[0] != "" {
			told.Set(name, values[0])
		}
	}
	o, flaws := mtd.ReadOrigin(told, mtd.Seen{Peer: clientaddr.Endpoint(c.R), At: c.Now(), User: mtd.Pair{Name: "tidewaiter", Value: c.Session.UserID}})
	for _, f := range flaws {
		c.Log.Warn("a fraud prevention header is left out", "requestId", c.Visitor.RequestID, "header", f.Header, "reason", f.Why)
	}
	return o
}
