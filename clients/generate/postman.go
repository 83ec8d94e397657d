package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// The parts of a Postman collection, format 2.1.
type (
	collection struct {
		Info     collectionInfo `json:"info"`
		Auth     bearer         `json:"auth"`
		Variable []variable     `json:"variable"`
		Item     []*folder      `json:"item"`
	}
	collectionInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Schema      string `json:"schema"`
	}
	bearer struct {
		Type   string     `json:"type"`
		Bearer []variable `json:"bearer,omitempty"`
	}
	variable struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Type        string `json:"type,omitempty"`
		Description string `json:"description,omitempty"`
		Disabled    bool   `json:"disabled,omitempty"`
	}
	folder struct {
		Name        string  `json:"name"`
		Description string  `json:"description,omitempty"`
		Item        []entry `json:"item"`
	}
	entry struct {
		Name    string  `json:"name"`
		Request request `json:"request"`
	}
	request struct {
		Method      string     `json:"method"`
		Auth        *bearer    `json:"auth,omitempty"`
		Header      []variable `json:"header"`
		Body        *body      `json:"body,omitempty"`
		URL         address    `json:"url"`
		Description string     `json:"description,omitempty"`
	}
	address struct {
		Raw      string     `json:"raw"`
		Host     []string   `json:"host"`
		Path     []string   `json:"path"`
		Query    []variable `json:"query,omitempty"`
		Variable []variable `json:"variable,omitempty"`
	}
	body struct {
		Mode     string      `json:"mode"`
		Raw      string      `json:"raw,omitempty"`
		FormData []variable  `json:"formdata,omitempty"`
		Options  *rawOptions `json:"options,omitempty"`
	}
	rawOptions struct {
		Raw struct {
			Language string `json:"language"`
		} `json:"raw"`
	}
)

// newGUID is the variable of Postman for another UUID in each call.
const newGUID = "{{$guid}}"

// postman is the collection of all operations, in a folder for each tag. The address of the service and the key are
// variables; optional parameters are there and switched off.
func postman(d api) ([]byte, error) {
	c := collection{
		Info: collectionInfo{d.Info.Title, "Set the variables baseUrl and apiKey of the collection, then send any request.\n\n" + d.Info.Description,
			"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		Auth:     bearer{"bearer", []variable{{Key: "token", Value: "{{apiKey}}", Type: "string"}}},
		Variable: []variable{{Key: "baseUrl", Value: "http://127.0.0.1:8080"}, {Key: "apiKey", Value: ""}},
	}
	folders := map[string]*folder{}
	for _, tag := range d.Tags {
		folders[tag.Name] = &folder{Name: tag.Name, Description: tag.Description}
	}
	for _, op := range d.operations() {
		tag := op.Tags[0]
		if folders[tag] == nil {
			folders[tag] = &folder{Name: tag}
		}
		folders[tag].Item = append(folders[tag].Item, entry{op.Summary, postmanRequest(d, op)})
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		if len(folders[name].Item) > 0 {
			c.Item = append(c.Item, folders[name])
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(c)
	return out.Bytes(), err
}

func postmanRequest(d api, op *operation) request {
	r := request{Method: op.method, Header: []variable{}, Description: op.Description, URL: address{Host: []string{"{{baseUrl}}"}}}
	if op.Security != nil && !strings.Contains(string(*op.Security), `"apiKey"`) {
		r.Auth = &bearer{Type: "noauth"}
	}
	for _, p := range op.Parameters {
		p = d.resolved(p)
		v := variable{Key: p.Name, Value: exampleOf(p), Description: p.Description, Disabled: !p.Required}
		if p.Name == "Idempotency-Key" {
			v.Value = newGUID // one key for all requests would be refused by the second
		}
		switch p.In {
		case "path":
			v.Disabled = false
			r.URL.Variable = append(r.URL.Variable, v)
		case "query":
			r.URL.Query = append(r.URL.Query, v)
		case "header":
			r.Header = append(r.Header, v)
		}
	}
	for _, segment := range strings.Split(strings.TrimPrefix(op.path, "/"), "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			segment = ":" + strings.TrimSuffix(name, "}")
		}
		r.URL.Path = append(r.URL.Path, segment)
	}
	r.URL.Raw = "{{baseUrl}}/" + strings.Join(r.URL.Path, "/")
	postmanBody(d, op, &r)
	return r
}

// postmanBody adds a body of the first media type that an operation takes.
func postmanBody(d api, op *operation, r *request) {
	if op.RequestBody == nil {
		return
	}
	name := slices.Min(slices.Collect(maps.Keys(op.RequestBody.Content)))
	of := op.RequestBody.Content[name]
	if name == "multipart/form-data" {
		r.Body = &body{Mode: "formdata", FormData: formData(d, of.Schema)}
		return
	}
	r.Header = append(r.Header, variable{Key: "Content-Type", Value: name})
	r.Body = &body{Mode: "raw"}
	if name == "application/json" {
		r.Body.Raw, r.Body.Options = sampleBody(d, of), &rawOptions{}
		r.Body.Options.Raw.Language = "json"
	}
}

func formData(d api, form *schema) (parts []variable) {
	for _, name := range slices.Sorted(maps.Keys(form.Properties)) {
		s := form.Properties[name]
		v := variable{Key: name, Type: "text", Value: sampleText(d, s), Description: s.Description}
		if s.Format == "binary" {
			v.Type, v.Value = "file", ""
		}
		parts = append(parts, v)
	}
	return parts
}
