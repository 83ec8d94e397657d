package page

import (
	"io"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// holdsOn reads the legal holds that apply to a record.
func (c *Context) holdsOn(id string) (all []retention.ActiveHold, err error) {
	err = c.View(func(tx Tx) (err error) { all, err = tx.ActiveHoldsOn(id); return err })
	return all, err
}

// Evidence sends the evidence pack of the record in the path.
func (c *Context) Evidence(s *evidence.Service, t *filing.Type) error {
	begun := false
	err := s.Make(c.R.Context(), c.Call(), t, c.ID(), func(name string) io.Writer {
		begun = true
		c.W.Header().Set("Content-Type", evidence.ContentType)
		c.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		return c.W
	})
	if begun && err != nil {
		c.Log.Warn("evidence pack was cut short", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // cuts the connection, so that a partial file does not look complete
	}
	return err
}
