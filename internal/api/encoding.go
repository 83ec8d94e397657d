package api

import (
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// minCompressed is the size in bytes from which a response is compressed. Below it the response fits
// one packet anyway.
const minCompressed = 1 << 10

// compressible are the media types that are compressed. Server-sent events are not: proxies and
// browsers expect them as they are.
var compressible = []string{jsonType, ndjsonType, xmlType, csvType, "text/calendar", "text/html", "text/css", "text/javascript", "text/plain"}

// headerSpelling has the headers whose documented spelling net/http would change: it writes each word
// with one capital letter.
var headerSpelling = map[string]string{
	"X-Ratelimit-Limit": "X-RateLimit-Limit", "X-Ratelimit-Remaining": "X-RateLimit-Remaining", "X-Ratelimit-Reset": "X-RateLimit-Reset",
	"X-Ai-Source": sourceHeader, "Etag": "ETag", "Www-Authenticate": "WWW-Authenticate",
}

// encoder compresses a response if the client asks for it, and writes headers as they are documented.
// It does not buffer: a flush passes on everything that was written. Secrets in responses
// are safe from attacks that measure the compressed size (BREACH), because callers authenticate with a
// key that a browser never sends by itself. The ETag of a record stays its version whatever the coding:
// there are no partial responses for which the bytes would have to be the same.
type encoder struct {
	http.ResponseWriter
	request *http.Request
	decided bool
	body    compressor // nil if the response is not compressed
	release func()
}

// compressor is a writer that can be flushed.
type compressor interface {
	io.WriteCloser
	Flush() error
}

// WriteHeader decides whether the response is compressed.
func (e *encoder) WriteHeader(status int) {
	if !e.decided && status >= http.StatusOK {
		e.decided = true
		e.begin(status)
		spell(e.Header())
	}
	e.ResponseWriter.WriteHeader(status)
}

func (e *encoder) Write(piece []byte) (int, error) {
	if !e.decided {
		e.WriteHeader(http.StatusOK)
	}
	if e.body != nil {
		return e.body.Write(piece)
	}
	return e.ResponseWriter.Write(piece)
}

// FlushError passes on everything that was written.
func (e *encoder) FlushError() error {
	if !e.decided {
		e.WriteHeader(http.StatusOK)
	}
	if e.body != nil {
		if err := e.body.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(e.ResponseWriter).Flush()
}

// Unwrap gives http.ResponseController access to the connection.
func (e *encoder) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// end completes the response. It must not be called for a response that is cut off.
func (e *encoder) end() {
	if e.body != nil {
		_ = e.body.Close()
		e.release()
		e.body = nil
	}
}

// begin starts compression if the response is worth it.
func (e *encoder) begin(status int) {
	h := e.Header()
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if status == http.StatusNoContent || status == http.StatusNotModified || h.Get("Content-Encoding") != "" || !slices.Contains(compressible, media) {
		return
	}
	h.Add("Vary", "Accept-Encoding")
	if length, err := strconv.Atoi(h.Get("Content-Length")); err == nil && length < minCompressed {
		return
	}
	coding := acceptedCoding(e.request, responseCodings)
	pool := compressors[coding]
	if pool == nil {
		return
	}
	h.Set("Content-Encoding", coding)
	h.Del("Content-Length")
	w := pool.Get().(resettable)
	w.Reset(e.ResponseWriter)
	e.body, e.release = w, func() { w.Reset(nil); pool.Put(w) }
}

// resettable is a compressor that can be used again.
type resettable interface {
	compressor
	Reset(io.Writer)
}

// window is the amount of earlier output, in bytes, to which zstd refers. It bounds the memory of a
// response.
const window = 256 << 10

// compressors are the codings, with compressors to use again.
var compressors = map[string]*sync.Pool{
	"gzip": {New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed+1)
		return w
	}},
	"zstd": {New: func() any {
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest))
		return w
	}},
}

// responseCodings are the codings of responses, the best first.
var responseCodings = []string{"zstd", "gzip"}

// acceptedCoding returns the first of some codings that the client accepts; "" for none.
func acceptedCoding(r *http.Request, codings []string) string {
	accepted := map[string]bool{}
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(coding, " ", "")), ";q=")
		quality, err := strconv.ParseFloat(weight, 64)
		accepted[name] = weight == "" || err == nil && quality > 0
	}
	for _, coding := range codings {
		if accepted[coding] {
			return coding
		}
	}
	return ""
}

// spell writes headers as they are documented.
func spell(h http.Header) {
	for canonical, documented := range headerSpelling {
		if values, ok := h[canonical]; ok {
			delete(h, canonical)
			h[documented] = values
		}
	}
}
