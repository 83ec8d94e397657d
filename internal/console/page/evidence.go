package page

import (
	"io"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// held reads the holds that keep a record.
func (c *Context) holdsOn(id string) (all []retention.ActiveHold, err error) {
	err = c.View(func(tx Tx) (err error) { all, err = tx.ActiveHoldsOn(id); return err })
	return all, err
}

// Evidence answers with the evidence pack of the record that the address names.
func (c *Context) Evidence(s *evidence.Service, t *filing.Type) error {
	begun := false
	err := s.Make(c.R.Context(), c.Call(), t, c.ID(), func(name string) io.Writer {
		begun = true
		c.W.Header().Set("Content-Type", evidence.ContentType)
		c.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		return c.W
	})
	if begun && err != nil {
		c.Log.Warn("an evidence pack was cut", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // nobody takes a part for the whole
	}
	return err
}
