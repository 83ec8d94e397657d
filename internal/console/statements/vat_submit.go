package statements

import (
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// declarePage asks for the declaration that a return is submitted with.
func (s *Statements) declarePage(v *page.Visit) error {
	shown, err := s.ofReturn(v)
	if err != nil {
		return err
	}
	if !shown.Return.Draft() {
		return v.Done("/vat/returns/"+v.ID(), "")
	}
	return v.Show("statements-vat-submit", "Submit the VAT return "+shown.Return.PeriodKey, shown)
}

// submitReturn sends a return to HMRC where the organisation is connected, and is a
// step like every other where it is not.
func (s *Statements) submitReturn(v *page.Visit) error {
	var err error
	if v.Value("declared") == "" {
		err = apierr.Invalid(apierr.Detail{Field: "declared", Message: "must be made: tick the box"})
		return v.Again(err, func() error { return s.declarePage(v) })
	}
	body, err := s.VAT.Submit(v.R.Context(), submission.Request{Call: v.Call(), Origin: s.origin(v)}, v.ID())
	if err == nil && body == nil {
		return s.stepReturn(v, lifecycle.Submit, "/vat/returns/"+v.ID(), "return-submitted")
	}
	if err != nil {
		return v.Again(err, func() error { return s.returnPage(v) })
	}
	return v.Done("/vat/returns/"+v.ID(), "return-submitted")
}

// originPrefix begins the names of what the page's script tells of the device: those
// of HMRC's headers, in HMRC's form.
const originPrefix = "Gov-Client-"

// origin is what HMRC wants to know of the device that a person sits at: what the
// page's script has put into the form, and what the service sees for itself.
func (s *Statements) origin(v *page.Visit) mtd.Origin {
	told := http.Header{}
	for name, values := range v.R.PostForm {
		if strings.HasPrefix(name, originPrefix) && len(values) == 1 && values[0] != "" {
			told.Set(name, values[0])
		}
	}
	o, flaws := mtd.ReadOrigin(told, mtd.Seen{Peer: clientaddr.Endpoint(v.R), At: v.Now(), User: mtd.Pair{Name: "tidewaiter", Value: v.Session.UserID}})
	for _, f := range flaws {
		v.Log.Warn("a fraud prevention header is left out", "requestId", v.Visitor.RequestID, "header", f.Header, "reason", f.Why)
	}
	return o
}
