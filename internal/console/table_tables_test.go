package console_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/store"
)

// tableCases are the cases of import and export.
var tableCases = map[string]routeCase{
	"GET /import":                       {status: 200},
	"POST /import":                      {status: 400}, // without a file
	"GET /import/template.csv":          {status: 200},
	"GET /import/{id}":                  {status: 200, record: anUpload},
	"GET /import/{id}/notes.csv":        {status: 200, record: anUpload},
	"GET /import/{id}/columns":          {status: 200, record: anUpload},
	"POST /import/{id}/columns":         {form: []string{"column-0", "name"}, status: 303, record: anUpload},
	"POST /import/{id}/start":           {status: 303, record: aCheckedUpload},
	"GET /import/{id}/discard":          {status: 200, record: anUpload},
	"POST /import/{id}/discard":         {status: 303, record: anUpload},
	"GET /exports":                      {status: 200},
	"GET /products/import":              {status: 200},
	"POST /products/import":             {status: 400}, // without a file
	"GET /products/import/template.csv": {status: 200},
	"GET /exports/download":             {status: 400}, // without a kind
}

// anUpload uploads a table and removes earlier ones.
func anUpload(owner *user) string {
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		all, err := tx.Uploads(100)
		if err != nil {
			return err
		}
		for _, u := range all {
			if err := tx.DropUploads(u.ID); err != nil {
				return err
			}
		}
		return nil
	}))
	return owner.upload("canary.csv", "Company,Country\nCanary Ltd,GB\n")
}

func aCheckedUpload(owner *user) string {
	id := anUpload(owner)
	owner.post("/import/"+id+"/columns", "column-0", "name")
	return id
}

// upload sends a table and returns the import's ID.
func (p *user) upload(name, content string) (id string) {
	p.Helper()
	a := p.sendFile(name, content)
	if a.status != http.StatusSeeOther {
		p.Fatalf("the table is not accepted: %d %s", a.status, main(a.body))
	}
	return strings.TrimPrefix(a.header.Get("Location"), "/import/")
}

func (p *user) sendFile(name, content string) pageResponse {
	return p.sendFileTo("/import", name, content)
}

func (p *user) sendFileTo(path, name, content string, fields ...string) pageResponse {
	p.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	p.must(form.WriteField("organisation-id", string(p.org)))
	for i := 0; i < len(fields); i += 2 {
		p.must(form.WriteField(fields[i], fields[i+1]))
	}
	part, err := form.CreateFormFile("file", name)
	p.must(err)
	_, err = io.WriteString(part, content)
	p.must(err)
	p.must(form.Close())
	request, err := http.NewRequestWithContext(p.Context(), http.MethodPost, p.base+path, &body)
	p.must(err)
	request.Header.Set("Accept", "text/html")
	request.Header.Set("Content-Type", form.FormDataContentType())
	response, err := p.client.Do(request)
	p.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	p.must(err)
	return pageResponse{response.StatusCode, response.Header, string(text)}
}
