package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
)

// mountEvidence adds GET …/{id}/evidence.zip.
func (s *Server) mountEvidence(k kind) {
	stream(s, operation{
		id: k.id("get", false) + "-evidence", summary: "Get the evidence pack of a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/evidence.zip",
		status: http.StatusOK, description: "A ZIP with all data of the record, proof that its events are in the audit trail, and an offline verifier. Each download is an event",
		contentType: evidence.ContentType, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, func(ctx context.Context, in *ByID, w *streamWriter) error {
		id, err := checkID(in.ID)
		if err != nil {
			return err
		}
		return s.Evidence.Make(ctx, in.call, k.Type, id, func(name string) io.Writer {
			w.Header().Set("Content-Type", evidence.ContentType)
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			return w
		})
	})
}
