package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/csvio"
)

// table is an answer that is written while it is read: nobody holds the whole of it.
type table struct {
	Type        string             `header:"Content-Type" hidden:"true"`
	Disposition string             `header:"Content-Disposition" doc:"Name of the file" example:"attachment; filename=\"audit-2026-11-21.csv\""`
	Truncated   string             `header:"X-Export-Truncated" doc:"true when there are more rows than the file has"`
	Body        func(huma.Context) // sets the status and writes
}

// csvType is the content type of tables, without its parameter, for the document.
const csvType = "text/csv"

// tableSchema is the schema of a file of comma-separated values.
func tableSchema() *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: "RFC 4180 in UTF-8; the first row has the names of the fields"}
}

// handleTable registers an operation that answers with a file. A fault before the
// first row is answered like any other.
func handleTable[I any, P interface {
	*I
	input
}](s *Server, op operation, h func(context.Context, *I) (table, error)) {
	op.gate.name, op.contentType, op.answer, op.status = op.id, csvType, tableSchema(), http.StatusOK
	s.routes[op.method+" "+op.path] = op.gate
	described := s.describe(op)
	huma.Register(s.api, described, func(ctx context.Context, in *I) (*table, error) {
		t, err := h(ctx, in)
		if err != nil {
			return nil, s.problemOf(ctx, P(in).self().call.RequestID, err)
		}
		return &t, nil
	})
	s.finish(described, op)
}

// stream makes the body of a table. What goes wrong after the first row breaks the
// connection off, so that nobody takes a part for the whole.
func (s *Server) stream(c *caller, write func(io.Writer) error) func(huma.Context) {
	return func(ctx huma.Context) {
		ctx.SetStatus(http.StatusOK)
		if err := write(ctx.BodyWriter()); err != nil {
			s.Log.Warn("an export was broken off", "requestId", c.call.RequestID, "error", err)
			panic(http.ErrAbortHandler)
		}
	}
}

// attachment is a table without its rows yet.
func (s *Server) attachment(name string) table {
	return table{Type: csvio.ContentType, Disposition: csvio.Disposition(name, s.Now())}
}
