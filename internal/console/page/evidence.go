package page

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/evidence"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Evidence answers with the evidence pack of the record that the address names.
func (v *Visit) Evidence(s *evidence.Service, t *filing.Type) error {
	pack, err := s.Begin(v.R.Context(), v.Call(), t, v.ID())
	if err != nil {
		return err
	}
	v.W.Header().Set("Content-Type", evidence.ContentType)
	v.W.Header().Set("Content-Disposition", `attachment; filename="`+pack.Name()+`"`)
	if err := pack.Write(v.R.Context(), v.W); err != nil {
		v.Log.Warn("an evidence pack was cut", "requestId", v.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // nobody takes a part for the whole
	}
	return nil
}
