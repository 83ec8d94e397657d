package schema_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// request is a request, and what is known about its answer in advance.
type request struct {
	operation
	target  string // path and query exactly as sent
	header  http.Header
	body    string
	caller  caller
	foreign bool   // the path names a record of another organisation
	invalid bool   // no operation may accept it
	field   string // the field that the error must name, if the body or a parameter is invalid
}

// markInvalid records that a field makes the request invalid; of several, the error may name any.
func (q *request) markInvalid(field string) {
	if q.invalid {
		field = ""
	}
	q.invalid, q.field = true, field
}

// Shares of requests, in percent.
const (
	invalidBodies      = 45 // invalid bodies
	notJSON            = 8  // of which are not JSON
	wrongMedia         = 3
	foreignIDs         = 8 // ids of another organisation
	invalidIDs         = 8 // invalid ids
	withIdempotencyKey = 30
	unreadBodies       = 2 // bodies that the operation does not read
	badQueries         = 10
	givenParams        = 30
)

// request generates a request of an operation.
func (w *walker) request(op operation) *request {
	q := &request{operation: op, header: http.Header{}, caller: w.anyCaller()}
	path := w.path(q)
	query := w.query(q)
	q.target = path
	if query != "" {
		q.target += "?" + query
	}
	w.headers(q)
	w.fill(q)
	return q
}

// path puts ids into the path.
func (w *walker) path(q *request) string {
	path := q.operation.path
	for {
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		if from < 0 {
			return path
		}
		path = path[:from] + w.id(q, q.operation.path[:strings.Index(q.operation.path, path[from:to+1])-1], path[from+1:to]) + path[to+1:]
	}
}

// longestID is how long an id may be in a path.
const longestID = 64

// oddIDs are invalid.
var oddIDs = []string{
	"01900000-0000-7000-8000-000000000000", "x", "%00", "..%2F..%2Fhealthz", "%F0%9F%98%80", "%ff", "-", "null", "0", "%20", "a%2Fb", "%7B%7D", "'%20OR%201=1--",
	strings.Repeat("a", longestID+1), strings.Repeat("9", 4000), "019AA2F0-7C1E-7B3A-9D54-3F2B8C6E1A70",
}

// id is an id for a place in a path: of a collection that has records, else the parameter's example.
func (w *walker) id(q *request, collection, name string) string {
	if w.percent(invalidIDs) {
		odd := pick(w.maker, oddIDs)
		if len(odd) > longestID {
			q.markInvalid(name)
		}
		return odd
	}
	if ids := w.other.ids[collection]; len(ids) > 0 && collection != "/api/hubs" && w.percent(foreignIDs) {
		q.foreign = true
		return pick(w.maker, ids)
	}
	if ids := w.own.ids[collection]; len(ids) > 0 {
		return pick(w.maker, ids)
	}
	if collection == "/api/hubs" {
		return pick(w.maker, hubs)
	}
	for _, p := range q.Parameters {
		if p.Value.Name == name && len(p.Value.Schema.Value.Examples) > 0 {
			return url.PathEscape(pick(w.maker, p.Value.Schema.Value.Examples).(string))
		}
	}
	return oddIDs[0]
}

// query generates the query: valid parameters, and sometimes an invalid one.
func (w *walker) query(q *request) string {
	var parts []string
	for _, p := range q.Parameters {
		if p.Value.In == openapi3.ParameterInQuery && (p.Value.Required || w.percent(givenParams)) {
			parts = append(parts, url.QueryEscape(p.Value.Name)+"="+url.QueryEscape(w.parameter(q, p.Value)))
		}
	}
	if w.percent(badQueries) {
		parts = append(parts, w.badQuery(q))
	}
	return strings.Join(parts, "&")
}

func (w *walker) parameter(q *request, p *openapi3.Parameter) string {
	if p.Name == "cursor" {
		return pick(w.maker, append(slices.Clone(w.own.cursors[q.operation.path]), "", "zz", "bm8", strings.Repeat("A", 200)))
	}
	if p.Name == "token" && w.percent(asExampled) {
		return w.own.token
	}
	text := w.value(p.Schema.Value, "", p.Name, 0).String()
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text
}

// badQuery is a parameter that the operation does not have, or with an invalid value.
func (w *walker) badQuery(q *request) string {
	for _, p := range q.Parameters {
		s := p.Value.Schema.Value
		if p.Value.In != openapi3.ParameterInQuery || w.percent(50) {
			continue
		}
		switch {
		case s.Type.Is("integer"):
			return p.Value.Name + "=" + pick(w.maker, []string{"0", "-1", "1e3", "x", "99999999999999999999", "1.5", "%00", "%"})
		case s.Format == "date-time":
			return p.Value.Name + "=" + pick(w.maker, []string{"yesterday", "2026-02-30T00:00:00Z", "2026-01-01", "%00"})
		}
		value := pick(w.maker, []string{"%00", "%ff", "%zz", strings.Repeat("x", 5000), "%F0%9F%98%80", "a&" + p.Value.Name + "=b"})
		if value == "%zz" {
			q.markInvalid(p.Value.Name)
		}
		return p.Value.Name + "=" + value
	}
	const name = "zzz"
	q.markInvalid(name)
	return name + "=1"
}

// headers generates the headers other than that of the body.
func (w *walker) headers(q *request) {
	q.caller.introduce(q.header)
	for _, p := range q.Parameters {
		if p.Value.In != openapi3.ParameterInHeader || !w.percent(withIdempotencyKey) {
			continue
		}
		if p.Value.Name != "Idempotency-Key" {
			q.header.Set(p.Value.Name, pick(w.maker, []string{"*", "\"x\"", "Sun, 22 Nov 2026 00:00:00 GMT", "", "Łódź", strings.Repeat("x", 5000)}))
			continue
		}
		q.header.Add(p.Value.Name, pick(w.maker, []string{"k1", "k2", "k3", "k4", strconv.Itoa(w.Int()), strings.Repeat("k", 255)}))
		if w.percent(5) {
			q.markInvalid("")
			q.header.Set(p.Value.Name, pick(w.maker, []string{"k\t1", "Łódź", strings.Repeat("k", 256)}))
		}
	}
	if w.percent(5) {
		q.header.Set("X-Request-Id", pick(w.maker, []string{"mine.1", "a b", strings.Repeat("x", 200), "Ł"}))
	}
	if w.percent(3) { // not text/html: browsers get a page when HMRC redirects back
		q.header.Set("Accept", pick(w.maker, []string{"text/csv", "application/xml;q=0", ";;", "*/*"}))
	}
}

// fill generates the body.
func (w *walker) fill(q *request) {
	media, schema := q.bodyType(w.maker)
	switch {
	case media == "" && w.percent(unreadBodies):
		q.body = pick(w.maker, []string{"{}", "x", strings.Repeat("y", 5000)})
	case media == "":
	case media == "multipart/form-data":
		w.form(q, schema)
	case media == "application/json", media == "application/merge-patch+json":
		w.json(q, media, schema)
	default:
		q.header.Set("Content-Type", media)
		q.body = pick(w.maker, []string{"<x/>", "", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", strings.Repeat("<a>", 1000)})
	}
}

func (w *walker) json(q *request, media string, schema *openapi3.Schema) {
	q.header.Set("Content-Type", media)
	root := w.value(schema, "", "", 0)
	if w.percent(invalidBodies) {
		q.markInvalid(w.invalidate(root, q.method == http.MethodPatch))
	}
	q.body = root.String()
	if w.percent(notJSON) && !q.invalid {
		q.markInvalid("body")
		q.body = w.garble(q.body)
	}
	if w.percent(wrongMedia) {
		q.markInvalid("")
		q.header.Set("Content-Type", pick(w.maker, []string{"text/plain", "application/xml", "application/json; charset=utf-16", "multipart/form-data; boundary=x", ";;;", "application/json;charset=\""}))
	}
}

// form generates a form with a file.
func (w *walker) form(q *request, schema *openapi3.Schema) {
	var body bytes.Buffer
	out := multipart.NewWriter(&body)
	_ = out.SetBoundary("frontier" + strconv.Itoa(w.IntN(1000)))
	missing := w.percent(10)
	for name, part := range schema.Properties {
		switch {
		case part.Value.Format == "binary" && missing:
			q.markInvalid(name)
		case part.Value.Format == "binary":
			file, _ := out.CreateFormFile(name, pick(w.maker, []string{"a.csv", "../b.pdf", "Ł.xlsx", ""}))
			_, _ = file.Write([]byte(pick(w.maker, files)))
		default:
			text, _ := strconv.Unquote(w.value(part.Value, "", name, 0).String())
			_ = out.WriteField(name, text)
		}
	}
	_ = out.Close()
	q.header.Set("Content-Type", out.FormDataContentType())
	q.body = body.String()
	if w.percent(5) {
		q.markInvalid("")
		q.body = q.body[:w.IntN(len(q.body)/2)]
	}
}

// files are the contents of uploads.
var files = []string{
	"Name,EORI,City\nB Ltd,GB123456789000,Hull\nC Ltd,,\n", "sep=;\nname;country\nx;GB\n", "Invoice No: A-1\nTotal: 12.00 GBP\nBrass lamps 4 pcs 3.00\n",
	"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>", "PK\x03\x04", "PK\x05\x06" + strings.Repeat("\x00", 18), "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0",
	"", "\x00", "<Invoice><Total>1</Total></Invoice>", "\xff\xfea\x00,\x00b\x00\n\x001\x00", "\"", strings.Repeat("a,", 3000) + "\n1", "a,a\n1,2\n",
}
