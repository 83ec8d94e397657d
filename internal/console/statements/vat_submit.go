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

// declarePage shows the legal declaration with which a return is submitted.
func (s *Statements) declarePage(c *page.Context) error {
	shown, err := s.loadReturn(c)
	if err != nil {
		return err
	}
	if !shown.Return.Draft() {
		return c.Redirect("/vat/returns/" + c.ID())
	}
	return c.Show("statements-vat-submit", "Submit the VAT return "+shown.Return.PeriodKey, shown)
}

// submitReturn sends a return to HMRC if the organisation is connected, and otherwise only
// marks it as submitted.
func (s *Statements) submitReturn(c *page.Context) error {
	var err error
	if c.Value("declared") == "" {
		err = apierr.Invalid(apierr.Detail{Field: "declared", Message: "is required. Select the box"})
		return c.Redisplay(err, func() error { return s.declarePage(c) })
	}
	sent, err := s.VAT.Submit(c.R.Context(), submission.Request{Request: outbox.Request{Call: c.Call()}, Origin: s.origin(c)}, c.ID())
	if err == nil && sent.Body == nil {
		return s.stepReturn(c, lifecycle.Submit, "/vat/returns/"+c.ID(), "return-submitted")
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.returnPage(c) })
	}
	return c.RedirectWithNotice("/vat/returns/"+c.ID(), "return-submitted")
}

// originPrefix is the prefix of form fields with fraud prevention data, which the page's script
// fills in. They have the names and the format of HMRC's headers.
const originPrefix = "Gov-Client-"

// origin returns the fraud prevention data of the user's device: from the form, and from the
// connection.
func (s *Statements) origin(c *page.Context) mtd.Origin {
	fields := http.Header{}
	for name, values := range c.R.PostForm {
		if strings.HasPrefix(name, originPrefix) && len(values) == 1 && values[0] != "" {
			fields.Set(name, values[0])
		}
	}
	o, flaws := mtd.ReadOrigin(fields, mtd.Seen{Peer: clientaddr.Endpoint(c.R), At: c.RealNow(), User: mtd.Pair{Name: "tidewaiter", Value: c.Session.UserID}})
	for _, f := range flaws {
		c.Log.Warn("fraud prevention header left out", "requestId", c.Visitor.RequestID, "header", f.Header, "reason", f.Why)
	}
	return o
}
