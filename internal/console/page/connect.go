package page

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// notConnected are the texts for errors of the redirect from HMRC.
var notConnected = map[apierr.Code]string{
	apierr.InvalidRequest:  "This consent was started in another session, was used before, or has expired.",
	apierr.InvalidState:    "You did not give consent at HMRC.",
	apierr.HMRCRejected:    "HMRC did not accept the consent.",
	apierr.HMRCUnreachable: "HMRC could not be reached to complete the consent.",
}

// NotConnected shows on a page why a consent at HMRC led to no connection. It returns errors that the user cannot correct.
func (c *Context) NotConnected(err error, page, title string) error {
	f, refused := apierr.As(err)
	if !refused || notConnected[f.Code] == "" {
		return err
	}
	c.Status = http.StatusBadRequest
	return c.Show(page, title, notConnected[f.Code])
}
