package extract

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// SetTimeout sets the limit for reading one file.
func (e *Engine) SetTimeout(d time.Duration) { e.timeout = d }

// ReadPages reads a document whose pages a test has changed.
func (e *Engine) ReadPages(kind DocumentType, doc source.Document) Extraction {
	found := blank(kind, doc)
	r := e.reading(kind, doc)
	e.read(r, &found.Document, doc)
	r.finish(&found)
	return found
}
