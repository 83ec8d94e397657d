package api

import (
	"embed"
	"net/http"
	"path"

	"github.com/swaggest/swgui"
	"github.com/swaggest/swgui/v5emb"
)

//go:embed docspage
var docsPage embed.FS

// docsPolicy allows scripts, styles and images from this server only, and no framing. Swagger UI
// embeds its icons as data: URLs.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// docsTypes are the media types of our own files; the others belong to Swagger UI.
var docsTypes = map[string]string{
	"index.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8",
}

// mountDocs serves Swagger UI from the binary.
func (s *Server) mountDocs() {
	library := v5emb.NewHandlerWithConfig(swgui.Config{BasePath: "/api/docs/"})
	for _, pattern := range []string{"GET /api/docs", "GET /api/docs/"} {
		s.routes[pattern] = route{name: "get-docs", budget: unmetered, public: true}
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", docsPolicy)
			w.Header().Set("X-Frame-Options", "DENY")
			name := path.Base(r.URL.Path)
			if name == "docs" {
				name = "index.html"
			}
			media, own := docsTypes[name]
			if !own {
				library.ServeHTTP(w, r)
				return
			}
			text, err := docsPage.ReadFile("docspage/" + name)
			if err != nil {
				s.writeProblem(w, r, err)
				return
			}
			w.Header().Set("Content-Type", media)
			_, _ = w.Write(text) // #nosec G705 -- a file of the program
		})
	}
}
