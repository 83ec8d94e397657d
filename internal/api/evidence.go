package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
)

// mountEvidence makes …/{id}/evidence.zip.
func (s *Server) mountEvidence(k kind) {
	stream(s, operation{
		id: k.id("get", false) + "-evidence", summary: "Get the evidence pack of a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/evidence.zip",
		status: http.StatusOK, about: "All that is known of the " + k.One + " as a ZIP, with proof that its events stand in the audit trail, and a verifier that works without the service; handing it out is itself an event",
		contentType: evidence.ContentType, answer: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, func(ctx context.Context, in *ByID, w *answerWriter) error {
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
