package api

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// printInput is the call that prints a declaration.
type printInput struct {
	ByID
	Of string `query:"of" enum:"declaration,clearance,review" default:"declaration" doc:"What is printed"`
}

// mountStatementPrint adds GET …/{id}/document.pdf of a VAT return or a CBAM report.
func (s *Server) mountStatementPrint(k kind) {
	stream(s, operation{
		id: k.id("print", false), summary: "Get a PDF of a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/document.pdf",
		status: http.StatusOK, description: "The " + k.Singular + " as PDF, with tags for screen readers. The same record gives the same bytes",
		contentType: print.ContentType, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, func(ctx context.Context, in *ByID, w *streamWriter) error {
		id, err := checkID(in.ID)
		if err != nil {
			return err
		}
		var document *print.Statement
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { document, err = s.Printer.Statement(tx, k.Kind, id); return err })
		if err != nil {
			return err
		}
		return sendDocument(ctx, w, document.FileName(), document.Write)
	})
}

// sendDocument answers with a document.
func sendDocument(ctx context.Context, w *streamWriter, fileName string, write func(context.Context, io.Writer) error) error {
	w.Header().Set("Content-Type", print.ContentType)
	w.Header().Set("Content-Disposition", `attachment; filename="`+fileName+`"`)
	return write(ctx, w)
}

// mountPrint adds GET …/{id}/document.pdf.
func (s *Server) mountPrint(k kind) {
	stream(s, operation{
		id: "get-declaration-document", summary: "Get a PDF of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/document.pdf",
		status: http.StatusOK, description: "The declaration, its clearance (if it is cleared) or its review as PDF. The same record gives the same bytes",
		contentType: print.ContentType, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, func(ctx context.Context, in *printInput, w *streamWriter) error {
		id, err := checkID(in.ID)
		if err != nil {
			return err
		}
		var document *print.Document
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { document, err = s.Printer.Read(tx, id, in.Of); return err })
		if err != nil {
			return err
		}
		return sendDocument(ctx, w, document.FileName(), document.Write)
	})
}
