package page

import (
	"io"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// held reads the holds that keep a record.
func (v *Visit) held(id string) (all []retention.Standing, err error) {
	err = v.View(func(tx Tx) (err error) { all, err = tx.StandingOn(id); return err })
	return all, err
}

// Evidence answers with the evidence pack of the record that the address names.
func (v *Visit) Evidence(s *evidence.Service, t *filing.Type) error {
	begun := false
	err := s.Make(v.R.Context(), v.Call(), t, v.ID(), func(name string) io.Writer {
		begun = true
		v.W.Header().Set("Content-Type", evidence.ContentType)
		v.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		return v.W
	})
	if begun && err != nil {
		v.Log.Warn("an evidence pack was cut", "requestId", v.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // nobody takes a part for the whole
	}
	return err
}
