package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Extract reads a document of an organisation. It calls read when it has finished its own work on the
// file and only waits for a model provider.
type Extract func(ctx context.Context, org tenant.ID, in extract.Request, read func()) (extract.Extraction, error)

// mountExtract adds the extraction from documents. Nothing is stored.
func (s *Server) mountExtract() {
	var types []any
	for _, t := range extract.Types {
		types = append(types, string(t))
	}
	stream(s, operation{
		id: "extract-document", summary: "Extract data from a trade document", tag: "AI", scope: foundational, method: http.MethodPost, path: "/api/ai/extract-document",
		status: http.StatusOK, description: "The fields of the document with confidence and place, and a draft declaration. Nothing is stored",
		response: s.schemaOf(reflect.TypeFor[extract.Extraction]()), headers: map[string]*huma.Param{sourceHeader: sourceParam}, route: route{budget: ai},
		maxBody: extract.MaxFile + maxFormOverhead,
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file", "documentType"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
				"file":         {Type: huma.TypeString, Format: "binary", Description: "PDF, plain text, CSV, XML, XLSX, PNG or JPEG of at most 20 MB; the type is detected from the content, not the name"},
				"documentType": {Type: huma.TypeString, Enum: types, Description: "Type of the document"},
			},
		}}},
	}, s.extract)
}

func (s *Server) extract(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
	end, err := s.Extracts.Acquire(ctx, in.call.Org)
	if err != nil {
		return err
	}
	end = sync.OnceFunc(end)
	defer end()
	f := upload{
		subject: "The file", hint: "Send the document as multipart/form-data, in the fields file and documentType.",
		maxFile: extract.MaxFile, fields: []string{"documentType"},
	}
	if err := f.read(w, in.request); err != nil {
		return err
	}
	found, err := s.Extract(ctx, in.call.Org, extract.Request{File: f.file, DocumentType: extract.DocumentType(f.values["documentType"])}, end)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(found); err != nil {
		return err
	}
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set(sourceHeader, found.Source)
	_, err = w.Write(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
	return err
}
