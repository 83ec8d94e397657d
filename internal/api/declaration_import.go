package api

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// xmlTypes are the media types of a declaration as WCO XML.
var xmlTypes = []string{xmlType, "text/xml"}

// importInput is the call of an import of one document.
type importInput struct {
	caller
	ClientID   string `query:"clientId" format:"uuid" doc:"Client; otherwise the one with the trader's EORI, or a new one"`
	ShipmentID string `query:"shipmentId" format:"uuid" doc:"Shipment; otherwise a new one"`
	Fill       string `query:"fill" enum:"USUAL,KNOWN,NONE" doc:"What the service may add to the declaration; NONE when left out"`
	RawBody    []byte `contentType:"application/xml" required:"false"`
}

// importedDeclaration is the answer to a dry run of an import.
type importedDeclaration struct {
	Declaration json.RawMessage `json:"declaration"`
	Notes       []string        `json:"notes"`
}

// mountXMLImport adds the import of a declaration that exists as WCO XML.
func (s *Server) mountXMLImport(k kind) {
	document := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: "A declaration in the XML of CDS (WCO 3.6, function code 9)"}}
	archive := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "A ZIP file with at most 1,000 such documents, which have at most 100 MB together"}}
	preview := &huma.Schema{Type: huma.TypeObject, Required: []string{"declaration", "notes"}, Properties: map[string]*huma.Schema{
		"declaration": s.describePreview(k), "notes": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}, Description: "What was assumed or left out"},
	}}
	handle(s, operation{
		id: "import-declaration", summary: "Import a declaration from XML", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/import",
		status:      http.StatusCreated,
		description: "The draft that declares what the document does, apart from its LRN and time of issue, with every value (fill NONE) unless fill says otherwise. A ZIP file is answered with 202 and a job with a result for each document",
		response:    k.record, content: map[string]*huma.MediaType{xmlType: document, "text/xml": document, zipType: archive}, readsBody: true, maxBody: importer.MaxArchive,
		accepted:     objectSchema("import", s.schemaOf(reflect.TypeFor[jobBody]())),
		bodyOptional: true, // so that a missing document is reported together with the parameters
		idempotent:   true, rehearsed: true, dryRun: preview, etag: true, errors: []int{413, 415}, route: route{role: tenant.Member},
	}, func(ctx context.Context, in *importInput) (response, error) {
		media, _, err := mime.ParseMediaType(in.request.Header.Get("Content-Type"))
		if err == nil && media == zipType && batchRowOf(ctx) == nil {
			return s.importArchive(ctx, in, k.Path+"/import")
		}
		if err != nil || !slices.Contains(xmlTypes, media) {
			return response{}, apierr.New(apierr.UnsupportedMediaType, "Send the declaration as application/xml or text/xml, or several as application/zip.")
		}
		source, err := importer.Read(in.RawBody, fileNameOf(ctx))
		if details := in.invalidParams(); details != nil {
			if wrong, ok := apierr.As(err); ok {
				details = append(details, wrong.Details...)
			}
			return response{}, apierr.Invalid(details...)
		}
		if err != nil {
			return response{}, err
		}
		create := func(tx Tx) (filing.Filing, error) {
			return s.importer(k).Import(tx, in.call, source, importer.Options{ClientID: in.ClientID, ShipmentID: in.ShipmentID, Fill: in.Fill, Rehearsal: in.dryRun()})
		}
		if in.dryRun() {
			return s.rehearseImport(ctx, in, create)
		}
		return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
			f, err := create(tx)
			if err != nil {
				return response{}, err
			}
			if f, err = s.Customs.Answered(tx, f, true); err != nil {
				return response{}, err
			}
			return recordResponse(response{Status: http.StatusCreated, Body: f.AppendJSON(nil)}, f.Version), nil
		})
	})
}

// fileNameOf returns the name of the document that a row of a ZIP file imports; empty if it is not known.
func fileNameOf(ctx context.Context) string {
	if row := batchRowOf(ctx); row != nil {
		return path.Base(row.Reference)
	}
	return ""
}

// importer returns the service that makes records from documents.
func (s *Server) importer(k kind) *importer.Service {
	return &importer.Service{
		Filings: s.Filings, Clients: s.kinds[customs.Clients.Kind].Type, Shipments: s.kinds[customs.Shipments.Kind].Type, Declarations: k.Type,
		Check: func(body json.RawMessage) []apierr.Detail { return s.bodyReader.Check(s.schemaOf(k.Body), body) },
	}
}

// describePreview returns the schema of a declaration that an import would make: without a shipment, if the import makes it.
func (s *Server) describePreview(k kind) *huma.Schema {
	schemas := s.api.OpenAPI().Components.Schemas.Map()
	preview := *schemas[strings.TrimPrefix(k.creation.Ref, schema.Prefix)]
	preview.Required = slices.DeleteFunc(slices.Clone(preview.Required), func(field string) bool { return field == shipmentMember })
	const name = "DeclarationImportPreview"
	schemas[name] = &preview
	return &huma.Schema{Ref: schema.Prefix + name}
}

const shipmentMember = "shipmentId"

// rehearseImport answers a dry run. Its transaction is rolled back: a declaration needs the client and the shipment that the
// import makes, so the answer does not name a shipment that the import would make.
func (s *Server) rehearseImport(ctx context.Context, in *importInput, create func(Tx) (filing.Filing, error)) (response, error) {
	var f filing.Filing
	if err := s.rolledBack(ctx, in.call.Org, func(tx Tx) (err error) { f, err = create(tx); return err }); err != nil {
		return response{}, err
	}
	var added struct{ Notes []string }
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return response{}, err
	}
	f.ID = ""
	if in.ShipmentID == "" {
		body, err := filing.Patch(f.Body, json.RawMessage(`{"`+shipmentMember+`":null}`))
		if err != nil {
			return response{}, err
		}
		f.Body = body
	}
	return jsonResponse(http.StatusOK, importedDeclaration{Declaration: f.AppendJSON(nil), Notes: append([]string{}, added.Notes...)})
}
