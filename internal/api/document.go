package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// Version is the version of the interface.
const Version = "1.0.0"

//go:embed document.md
var introduction string

// customsTags and commonTags are the headings of the API document besides those of the Hubs.
var customsTags = []*huma.Tag{
	{Name: "Declarations", Description: "Customs declarations, and their way to the customs declaration system and back"},
	{Name: "Shipments and Clients", Description: "Consignments, importers and exporters"},
	{Name: "AI", Description: "Classification, extraction, review and explanation"},
}

var commonTags = []*huma.Tag{
	{Name: "Deadlines", Description: "What is due, across all Hubs"},
	{Name: "Audit", Description: "The trail of every change"},
	{Name: "Bulk", Description: "Import and export of tables"},
	{Name: "Hubs", Description: "The areas that an organisation uses, and the organisation itself"},
	{Name: "Webhooks", Description: "Messages to and from other systems"},
}

// tags returns the headings of the API document, in its order.
func tags(hubs []Hub) []*huma.Tag {
	all := slices.Clone(customsTags)
	for _, h := range hubs {
		if h.Tag != "" {
			all = append(all, &huma.Tag{Name: h.Tag, Description: h.About})
		}
	}
	return append(all, commonTags...)
}

func document(publicURL string, schemas huma.Registry, hubs []Hub) huma.Config {
	c := huma.DefaultConfig("Tidewaiter", Version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.Components.Schemas = schemas
	c.Info.Description = introduction
	c.Info.Contact = &huma.Contact{Name: "Tidewaiter", URL: "https://github.com/tidewaiter/tidewaiter"}
	c.Info.License = &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: documentedAddress(publicURL), Description: "This service"}}
	c.Tags = tags(hubs)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"apiKey":  {Type: "http", Scheme: "bearer", BearerFormat: "svc_…", Description: "An API key of the organisation"},
		"session": {Type: "apiKey", In: "cookie", Name: "tidewaiter_session", Description: "A session of the console; under https the cookie is __Host-tidewaiter_session"},
		"feed":    {Type: "apiKey", In: "query", Name: "token", Description: "The token of a user's calendar feed, cal_…; it opens the feed and nothing else"},
		"customs": {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "A token issued by customs, together with a detached signature of the body in x-jws-signature"},
	}
	c.Security = []map[string][]string{{"apiKey": {}}}
	return c
}

// documentedAddress is the address of the service in the document. Linters of OpenAPI refuse
// localhost, which people get because browsers allow passkeys there.
func documentedAddress(publicURL string) string {
	return strings.Replace(publicURL, "://localhost", "://127.0.0.1", 1)
}

// confidenceSchema is that of how sure an answer is.
type confidenceSchema struct{}

func (confidenceSchema) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, 1.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least, Maximum: &most}
}

// mountDocument serves the OpenAPI document, and a page to try it out on, from the binary.
func (s *Server) mountDocument() {
	s.routes["GET /api/openapi.json"] = route{name: "get-openapi", public: true}
	s.mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		_, _ = w.Write(s.Document())
	})
	s.mountDocs()
}

// Document is the OpenAPI document, the same bytes every time.
func (s *Server) Document() []byte {
	s.documented.Do(func() {
		whole, _ := s.api.OpenAPI().MarshalJSON()
		s.document = pruned(whole)
	})
	return s.document
}

// pruned is the document less the schemas that nothing in it refers to.
func pruned(document []byte) []byte {
	var d map[string]any
	_ = json.Unmarshal(document, &d)
	schemas := d["components"].(map[string]any)["schemas"].(map[string]any)
	for before := -1; before != len(schemas); {
		before = len(schemas)
		document, _ = json.Marshal(d)
		for name := range schemas {
			if !bytes.Contains(document, []byte(`"`+schema.Prefix+name+`"`)) {
				delete(schemas, name)
			}
		}
	}
	return document
}
