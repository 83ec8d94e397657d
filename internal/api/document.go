package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Version is the version of the API.
const Version = "1.0.0"

// Revision is the date of the OpenAPI document. A change of the document sets it, and is described in
// docs/api-changes.md.
const Revision = "2026-11-24"

//go:embed document.md
var introduction string

// customsTags and commonTags are the headings of the API document besides those of the Hubs.
var customsTags = []*huma.Tag{
	{Name: "Declarations", Description: "Customs declarations and their submission to the Customs Declaration Service (CDS)"},
	{Name: "Shipments and Clients", Description: "Consignments, importers and exporters"},
	{Name: "AI", Description: "Classification of goods, extraction from documents, review of declarations, explanation of rejections"},
}

var commonTags = []*huma.Tag{
	{Name: "Deadlines", Description: "Deadlines of all Hubs"},
	{Name: "Team", Description: "Comments on records, and inboxes of members"},
	{Name: "Audit", Description: "Audit trail of every change, and legal holds"},
	{Name: "Bulk", Description: "Import and export of CSV and XLSX files"},
	{Name: "Hubs", Description: "Enabled Hubs, the organisation and its API keys"},
	{Name: "Webhooks", Description: "Notifications to your systems, and messages from CDS"},
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
	c.Info.Extensions = map[string]any{"x-revision": Revision}
	c.Info.Contact = &huma.Contact{Name: "Tidewaiter", URL: "https://github.com/tidewaiter/tidewaiter"}
	c.Info.License = &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: documentedAddress(publicURL), Description: "This service"}}
	c.Tags = tags(hubs)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"apiKey":       {Type: "http", Scheme: "bearer", BearerFormat: "svc_…", Description: "An API key of the organisation"},
		"session":      {Type: "apiKey", In: "cookie", Name: "tidewaiter_session", Description: "A console session; over HTTPS __Host-tidewaiter_session"},
		"feed":         {Type: "apiKey", In: "query", Name: "token", Description: "The token of a user's calendar feed, cal_…, for the feed only"},
		"notification": {Type: "apiKey", In: "header", Name: "X-Hub-Signature", Description: "HMAC-SHA1 of the body with the push secret of the application at HMRC"},
		"customs":      {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "A token of CDS, with a detached signature of the body in x-jws-signature"},
	}
	c.Security = []map[string][]string{{"apiKey": {}}}
	return c
}

// documentedAddress returns the service's URL for the OpenAPI document. OpenAPI linters reject
// localhost, which is a common setting because browsers allow passkeys there.
func documentedAddress(publicURL string) string {
	return strings.Replace(publicURL, "://localhost", "://127.0.0.1", 1)
}

// confidenceSchema is the schema of a confidence, from 0 to 1.
type confidenceSchema struct{}

func (confidenceSchema) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, 1.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least, Maximum: &most}
}

// mountDocument serves the OpenAPI document and Swagger UI.
func (s *Server) mountDocument() {
	s.routes["GET /api/openapi.json"] = route{name: "get-openapi", public: true}
	s.mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, r *http.Request) { s.served().short.send(w, r) })
	// The interactive page reads it here, so that opening the page does not use up the public budget.
	s.routes["GET /api/docs/openapi.json"] = route{name: "get-docs", budget: unmetered, public: true}
	s.mux.HandleFunc("GET /api/docs/openapi.json", func(w http.ResponseWriter, r *http.Request) { s.served().whole.send(w, r) })
	s.routes["GET "+examplePath+"{name}"] = route{name: "get-docs", budget: unmetered, public: true}
	s.mux.HandleFunc("GET "+examplePath+"{name}", s.serveExample)
	s.mountDocs()
}

// documents are the two forms of the OpenAPI document, and the examples that the short one refers to, by name.
type documents struct {
	whole, short encoded
	examples     map[string]encoded
}

// encoded is a text as it is sent.
type encoded struct {
	media   string
	etag    string
	plain   []byte
	codings map[string]func() []byte // compressed at the first request, by coding
}

// documentCodings are the codings of the document, the smallest first. It is compressed once, so that brotli can take its time.
var documentCodings = []string{"br", "zstd", "gzip"}

// documentBrotli compresses as well as possible: 1.5 kB smaller than with quality 10, in two to three times its time. The window of 1 MB, nearly
// the size of the document, takes less memory than the default.
var documentBrotli = brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 20}

// encode prepares a text for sending.
func encode(media string, plain []byte) encoded {
	sum := sha256.Sum256(plain)
	return encoded{media, hex.EncodeToString(sum[:16]), plain, map[string]func() []byte{
		"br": sync.OnceValue(func() []byte {
			return compressed(plain, func(w io.Writer) io.WriteCloser { return brotli.NewWriterOptions(w, documentBrotli) })
		}),
		"gzip": sync.OnceValue(func() []byte {
			return compressed(plain, func(w io.Writer) io.WriteCloser { z, _ := gzip.NewWriterLevel(w, gzip.BestCompression); return z })
		}),
		"zstd": sync.OnceValue(func() []byte {
			e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
			return e.EncodeAll(plain, nil)
		}),
	}}
}

func compressed(plain []byte, coder func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := coder(&out)
	_, _ = w.Write(plain) // to memory, which does not fail
	_ = w.Close()
	return out.Bytes()
}

// send sends the text from memory, compressed if the client accepts it and it is large enough.
func (e encoded) send(w http.ResponseWriter, r *http.Request) {
	h, body, tag := w.Header(), e.plain, `"`+e.etag+`"`
	h.Set("Content-Type", e.media)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if coding := acceptedCoding(r, documentCodings); coding != "" && len(e.plain) >= minCompressed {
		body, tag = e.codings[coding](), `"`+e.etag+"-"+coding+`"`
		h.Set("Content-Encoding", coding)
	}
	h.Set("ETag", tag)
	if strings.Contains(r.Header.Get("If-None-Match"), e.etag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // #nosec G705 -- made by the program
}

// serveExample sends an example that the short document refers to.
func (s *Server) serveExample(w http.ResponseWriter, r *http.Request) {
	example, ok := s.served().examples[r.PathValue("name")]
	if !ok {
		s.writeProblem(w, r, apierr.New(apierr.NotFound, "There is no example with this name."))
		return
	}
	example.send(w, r)
}

// Document returns the whole OpenAPI document; the bytes are always the same.
func (s *Server) Document() []byte { return s.served().whole.plain }

// ShortDocument returns the short form of the document: without what only people read.
func (s *Server) ShortDocument() []byte { return s.served().short.plain }

// documents makes both forms of the document.
func (s *Server) documents() documents {
	whole, _ := s.published().MarshalJSON()
	short := s.published()
	examples := shorten(short)
	text, _ := short.MarshalJSON()
	return documents{encode(jsonType, whole), encode(jsonType, text), examples}
}

// published returns a new copy of the whole document.
func (s *Server) published() *huma.OpenAPI {
	published := publish(s.api.OpenAPI(), s.Hubs, s.Examples != nil)
	if s.Examples != nil {
		illustrate(published, s.Examples())
	}
	share(published)
	return published
}
