package main

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pythonModule is a Python module with a method for each operation.
type pythonModule struct {
	about, class, caller, lines string // lines is the type of an answer without an end
	async                       bool
}

// synchronous and asynchronous are the two modules, with the same methods.
var (
	synchronous  = pythonModule{about: "The operations of the API.", class: "Operations", caller: "Caller", lines: "Iterator[str]"}
	asynchronous = pythonModule{about: "The operations of the API, for asyncio.", class: "AsyncOperations", caller: "AsyncCaller", lines: "AsyncIterator[str]", async: true}
)

// pythonOperations returns the module.
func pythonOperations(d api, m pythonModule) []byte {
	var out bytes.Buffer
	iterator, _, _ := strings.Cut(m.lines, "[")
	typing := []string{"Any", "Dict", iterator, "Literal", "Optional", "Sequence"}
	slices.Sort(typing)
	fmt.Fprintf(&out, `%s"""%s"""

import datetime as dt
from typing import %s

from . import models
from .base import %s, segment


class %s(%s):
    """One method for each operation. A failure raises ApiError."""
`, pythonHeader, m.about, strings.Join(typing, ", "), m.caller, m.class, m.caller)
	for _, op := range d.operations() {
		if len(op.successes()) > 1 {
			m.method(&out, d, op.without(dryRun, "200"), "")
			m.method(&out, d, op.without("", op.successes()[0], "202"), "_dry_run")
			continue
		}
		m.method(&out, d, op, "")
	}
	return out.Bytes()
}

// call collects the parts of one method.
type call struct {
	positional, keywords, arguments []string
}

// dryRun is the parameter that asks for the checks of a creation only.
const dryRun = "dryRun"

// without is the operation without a parameter and without some answers.
func (op *operation) without(name string, statuses ...string) *operation {
	other := *op
	other.Parameters = slices.DeleteFunc(slices.Clone(op.Parameters), func(p *parameter) bool { return p.Name == name })
	other.Responses = maps.Clone(op.Responses)
	for _, status := range statuses {
		delete(other.Responses, status)
	}
	return &other
}

// method writes a method. One that is named after dry runs always asks for one.
func (m pythonModule) method(out *bytes.Buffer, d api, op *operation, suffix string) {
	var c call
	var query, headers []string
	path := quoted(op.path)
	for _, p := range op.Parameters {
		p = d.resolved(p)
		name := snake(p.Name)
		switch p.In {
		case "path":
			c.positional = append(c.positional, name+": str")
			path = strings.ReplaceAll(path, "{"+p.Name+"}", "{segment("+name+")}")
		case "query":
			if suffix != "" && p.Name == dryRun {
				query = append(query, quoted(p.Name)+": True")
				continue
			}
			c.keyword(p, name)
			query = append(query, quoted(p.Name)+": "+name)
		case "header":
			c.keyword(p, name)
			headers = append(headers, quoted(p.Name)+": "+name)
		}
	}
	if len(c.positional) > 0 {
		path = "f" + path
	}
	media := c.body(op)
	if len(query) > 0 {
		c.arguments = append(c.arguments, "query={"+strings.Join(query, ", ")+"}")
	}
	if len(headers) > 0 {
		c.arguments = append(c.arguments, "headers={"+strings.Join(headers, ", ")+"}")
	}
	if media != "" {
		c.arguments = append(c.arguments, "media="+media)
	}
	parameters := append([]string{"self"}, c.positional...)
	if len(c.keywords) > 0 {
		parameters = append(append(parameters, "*"), c.keywords...)
	}
	answer, function := m.answer(op)
	define, result := "def", "return "
	if m.async && answer != m.lines {
		define, result = "async def", "return await "
	}
	fmt.Fprintf(out, "\n    %s %s(\n        %s,\n    ) -> %s:\n        %s\n        %s%s%s\n", define, snake(op.OperationID)+suffix,
		strings.Join(parameters, ",\n        "), answer, docstring(op.Summary), result, function,
		strings.Join(append([]string{quoted(op.method), path}, c.arguments...), ", ")+")")
}

// keyword adds a parameter of the query or of the header.
func (c *call) keyword(p *parameter, name string) {
	kind := pythonType(p.Schema, "", true)
	if items, ok := strings.CutPrefix(kind, "List["); ok {
		kind = "Sequence[" + items
	}
	if p.Required {
		c.keywords = append(c.keywords, name+": "+kind)
		return
	}
	c.keywords = append(c.keywords, name+": Optional["+kind+"] = None")
}

// body adds the parameters of the request's body, and returns the expression of its media type; empty if it is JSON.
func (c *call) body(op *operation) (media string) {
	if op.RequestBody == nil {
		return ""
	}
	content := op.RequestBody.Content
	if form := content["multipart/form-data"]; form != nil {
		c.form(form.Schema)
		return ""
	}
	c.arguments = append(c.arguments, "body=body")
	json := content["application/json"]
	if json == nil {
		c.positional = append(c.positional, "body: bytes")
		return quoted(slices.Min(slices.Collect(maps.Keys(content))))
	}
	kind := "Dict[str, Any]"
	if json.Schema.Ref != "" {
		kind = "models." + refName(json.Schema.Ref)
	}
	if op.RequestBody.Required {
		c.positional = append(c.positional, "body: "+kind)
	} else {
		c.positional = append(c.positional, "body: Optional["+kind+"] = None")
	}
	if content["application/merge-patch+json"] != nil {
		c.keywords = append(c.keywords, "merge: bool = False")
		return `"application/merge-patch+json" if merge else "application/json"`
	}
	return ""
}

// form adds the parts of a form: its file, and its other fields.
func (c *call) form(s *schema) {
	var fields []string
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if s.Properties[name].Format == "binary" {
			c.positional = append(c.positional, snake(name)+": bytes")
			c.arguments = append(c.arguments, "file=("+quoted(name)+", "+snake(name)+")")
			continue
		}
		c.keyword(&parameter{Required: s.requires(name), Schema: s.Properties[name]}, snake(name))
		fields = append(fields, quoted(name)+": "+snake(name))
	}
	if len(fields) > 0 {
		c.arguments = append(c.arguments, "fields={"+strings.Join(fields, ", ")+"}")
	}
}

// answer is the type of an operation's answer, and the beginning of the call that returns it.
func (m pythonModule) answer(op *operation) (kind, call string) {
	media, of := op.success()
	switch {
	case media == "application/json" && of.Ref != "":
		kind = "models." + refName(of.Ref)
		return kind, "self._json(" + kind + ", "
	case media == "application/x-ndjson" || media == "text/event-stream":
		return m.lines, "self._lines("
	case media == "application/json":
		return "Any", "self._any("
	}
	return "bytes", "self._bytes("
}

var hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// snake is a name in Python's form: createdAfter and Idempotency-Key become created_after and idempotency_key.
func snake(name string) string {
	return pythonName(strings.ToLower(hump.ReplaceAllString(strings.NewReplacer("-", "_", ".", "_").Replace(name), "${1}_$2")))
}
