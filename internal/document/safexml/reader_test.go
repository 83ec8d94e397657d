package safexml_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// outline writes a document as {namespace}name[attributes]( … text … ).
func outline(data []byte) (string, error) {
	return sketch(data, func(a safexml.Attr) string {
		return "[" + a.Name.Space + "|" + a.Name.Local + "=" + a.Value + "]"
	})
}

func sketch(data []byte, attribute func(safexml.Attr) string) (string, error) {
	r, err := safexml.New(data)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for {
		token, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch token.Kind {
		case safexml.Start:
			out.WriteString("{" + token.Name.Space + "}" + token.Name.Local)
			for _, a := range token.Attrs {
				out.WriteString(attribute(a))
			}
			out.WriteString("(")
		case safexml.End:
			out.WriteString(")")
		default:
			out.WriteString(token.Text)
		}
	}
}

// Names have the namespace of their prefix at that place, and text has its references
// resolved.
func TestWellFormed(t *testing.T) {
	tests := map[string]struct{ xml, want string }{
		"default namespace":     {`<a xmlns="urn:x"><b/></a>`, `{urn:x}a({urn:x}b())`},
		"prefix":                {`<p:a xmlns:p="urn:x"><b/></p:a>`, `{urn:x}a({}b())`},
		"rebound prefix":        {`<p:a xmlns:p="urn:x"><p:b xmlns:p="urn:y"/><p:c/></p:a>`, `{urn:x}a({urn:y}b(){urn:x}c())`},
		"default given up":      {`<a xmlns="urn:x"><b xmlns=""/><c/></a>`, `{urn:x}a({}b(){urn:x}c())`},
		"declared after use":    {`<p:a q:b="1" xmlns:q="urn:q" xmlns:p="urn:x"/>`, `{urn:x}a[urn:q|b=1]()`},
		"attributes":            {`<a xmlns="urn:x" b = "1" c='&lt;"'/>`, `{urn:x}a[|b=1][|c=<"]()`},
		"xml prefix":            {`<a xml:lang="en"/>`, `{}a[http://www.w3.org/XML/1998/namespace|lang=en]()`},
		"references":            {`<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F6A2;</a>`, `{}a(<>&"'A🚢)`},
		"cdata":                 {`<a><![CDATA[<b>&amp;]]]]></a>`, `{}a(<b>&amp;]])`},
		"comment within text":   {`<a>1<!-- two -->3</a>`, `{}a(13)`},
		"instruction":           {`<?x-y?><a>1<?z w?>2</a><?q?>`, `{}a(12)`},
		"line ends":             {"<a b='1\r\n2\t3'>1\r\n2\r3<![CDATA[\r\n]]></a>", "{}a[|b=1 2 3](1\n2\n3\n)"},
		"declaration":           {`<?xml version='1.0' encoding="utf-8" standalone="yes" ?><a/>`, `{}a()`},
		"byte order mark":       {"\xEF\xBB\xBF<a/>", `{}a()`},
		"ascii":                 {`<?xml version="1.0" encoding="us-ascii"?><a>b</a>`, `{}a(b)`},
		"latin 1":               {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>Z\xfcrich</a>", `{}a(Zürich)`},
		"name beyond ASCII":     {`<größe·1/>`, `{}größe·1()`},
		"space around the root": {" \n<!-- c --><a >\n</a >\n", "{}a(\n)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := outline([]byte(test.xml))
			if err != nil || got != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

// Documents that are not well-formed, or dangerous, are refused with the reason, at any place.
func TestRefused(t *testing.T) {
	many := func(format string, n int) string { return strings.Repeat(format, n) }
	tests := map[string]struct {
		xml  string
		want error
	}{
		"nothing":                    {"", safexml.ErrSyntax},
		"only space":                 {" \n ", safexml.ErrSyntax},
		"only a declaration":         {`<?xml version="1.0"?>`, safexml.ErrSyntax},
		"text alone":                 {"a", safexml.ErrSyntax},
		"two roots":                  {"<a/><b/>", safexml.ErrSyntax},
		"text after the root":        {"<a/>b", safexml.ErrSyntax},
		"cdata after the root":       {"<a/><![CDATA[]]>", safexml.ErrSyntax},
		"unclosed":                   {"<a><b></b>", safexml.ErrSyntax},
		"crossed":                    {"<a><b></a></b>", safexml.ErrSyntax},
		"same namespace, other name": {`<p:a xmlns:p="u" xmlns:q="u"></q:a>`, safexml.ErrSyntax},
		"end too many":               {"<a/></a>", safexml.ErrSyntax},
		"tag cut off":                {"<a", safexml.ErrSyntax},
		"end tag cut off":            {"<a></a", safexml.ErrSyntax},
		"attribute cut off":          {`<a b="`, safexml.ErrSyntax},
		"attribute without value":    {`<a b/>`, safexml.ErrSyntax},
		"attribute without quotes":   {`<a b=1/>`, safexml.ErrSyntax},
		"attributes run together":    {`<a b="1"c="2"/>`, safexml.ErrSyntax},
		"attribute twice":            {`<a b="1" b="2"/>`, safexml.ErrSyntax},
		"attribute twice by space":   {`<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>`, safexml.ErrSyntax},
		"< in an attribute":          {`<a b="<"/>`, safexml.ErrSyntax},
		"undeclared prefix":          {`<p:a/>`, safexml.ErrSyntax},
		"undeclared attribute":       {`<a p:b="1"/>`, safexml.ErrSyntax},
		"prefix out of reach":        {`<a><b xmlns:p="u"/><p:c/></a>`, safexml.ErrSyntax},
		"two colons":                 {`<a:b:c xmlns:a="u"/>`, safexml.ErrSyntax},
		"empty prefix":               {`<:a/>`, safexml.ErrSyntax},
		"prefix bound to nothing":    {`<a xmlns:p=""/>`, safexml.ErrSyntax},
		"xml rebound":                {`<a xmlns:xml="urn:x"/>`, safexml.ErrSyntax},
		"bare ampersand":             {"<a>b & c</a>", safexml.ErrSyntax},
		"unknown entity":             {"<a>&nbsp;</a>", safexml.ErrSyntax},
		"reference to NUL":           {"<a>&#0;</a>", safexml.ErrSyntax},
		"reference to a surrogate":   {"<a>&#xD800;</a>", safexml.ErrSyntax},
		"reference out of range":     {"<a>&#x110000;</a>", safexml.ErrSyntax},
		"]]> in text":                {"<a>]]></a>", safexml.ErrSyntax},
		"-- in a comment":            {"<a><!-- -- --></a>", safexml.ErrSyntax},
		"comment cut off":            {"<a><!-- ", safexml.ErrSyntax},
		"control character":          {"<a>\x01</a>", safexml.ErrSyntax},
		"no character":               {"<a>\uFFFE</a>", safexml.ErrSyntax},
		"declaration too late":       {` <?xml version="1.0"?><a/>`, safexml.ErrSyntax},
		"version 1.1":                {`<?xml version="1.1"?><a/>`, safexml.ErrSyntax},
		"not UTF-8":                  {"<a>\xfc</a>", safexml.ErrEncoding},
		"not ASCII":                  {"<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a>ü</a>", safexml.ErrEncoding},
		"windows-1252":               {`<?xml version="1.0" encoding="windows-1252"?><a/>`, safexml.ErrEncoding},
		"UTF-7":                      {`<?xml version="1.0" encoding="UTF-7"?><a/>`, safexml.ErrEncoding},
		"mark against the name":      {"\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", safexml.ErrEncoding},
		"UTF-16 with a mark":         {"\xFF\xFE<\x00a\x00/\x00>\x00", safexml.ErrEncoding},
		"UTF-16 without a mark":      {"\x00<\x00a\x00/\x00>", safexml.ErrEncoding},
		"document type":              {`<!DOCTYPE a><a/>`, safexml.ErrDoctype},
		"entities in entities":       {`<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>`, safexml.ErrDoctype},
		"external entity":            {`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`, safexml.ErrDoctype},
		"external document type":     {`<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a/>`, safexml.ErrDoctype},
		"document type in content":   {`<a><!DOCTYPE a></a>`, safexml.ErrDoctype},
		"entity in content":          {`<a><!ENTITY x "y"></a>`, safexml.ErrDoctype},
		"too deep":                   {many("<a>", safexml.MaxDepth+1), safexml.ErrTooDeep},
		"too many attributes":        {"<a" + many(` x="1"`, safexml.MaxAttributes+1) + "/>", safexml.ErrTooDeep},
		"too many namespaces":        {"<a" + many(` xmlns:x="u"`, safexml.MaxNamespaces+1) + "/>", safexml.ErrTooDeep},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := outline([]byte(test.xml)); !errors.Is(err, test.want) {
				t.Errorf("got %q, %v; want %v", got, err, test.want)
			}
		})
	}
}

// A document at a limit is accepted; the smallest one beyond it is refused.
func TestLimits(t *testing.T) {
	deep := strings.Repeat("<a>", safexml.MaxDepth) + strings.Repeat("</a>", safexml.MaxDepth)
	if _, err := outline([]byte(deep)); err != nil {
		t.Errorf("depth %d: %v", safexml.MaxDepth, err)
	}
	full := "<a>" + strings.Repeat("x", safexml.MaxSize-len("<a></a>")) + "</a>"
	if _, err := outline([]byte(full)); err != nil {
		t.Errorf("%d bytes: %v", len(full), err)
	}
	if _, err := outline([]byte(full + "\n")); !errors.Is(err, safexml.ErrTooLarge) {
		t.Errorf("%d bytes: %v, want ErrTooLarge", len(full)+1, err)
	}
}

// An error has the line, and is returned again.
func TestErrorNamesLineAndStays(t *testing.T) {
	r, err := safexml.New([]byte("<a>\n\n<b></c></a>"))
	if err != nil {
		t.Fatal(err)
	}
	var first error
	for first == nil {
		_, first = r.Next()
	}
	var fault *safexml.Error
	if !errors.As(first, &fault) || fault.Line != 3 {
		t.Errorf("got %v, want line 3", first)
	}
	if _, again := r.Next(); again != first {
		t.Errorf("then %v, want the same error", again)
	}
}
