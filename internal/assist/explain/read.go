package explain

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of reading errors of any shape.
const (
	maxNodes = 50_000 // members and elements of all objects
	maxNest  = 32
	maxText  = 64 << 10 // of one text that is searched for codes
)

// Names of the parts of an error, in lower case without punctuation; the first one that is
// present counts.
var (
	codeNames     = []string{"validationcode", "errorcode", "cdscode", "code", "errorid", "faultcode", "reasoncode", "id", "error", "type"}
	placeNames    = []string{"pointers", "pointer", "errorpointer", "path", "xpath", "location", "field", "fieldname", "dataelement", "de", "element", "where", "source", "position"}
	textNames     = []string{"description", "message", "errormessage", "errordescription", "text", "detail", "reason", "title"}
	valueNames    = []string{"value", "currentvalue", "declaredvalue", "actualvalue", "rejectedvalue", "invalidvalue"}
	itemNames     = []string{"item", "itemnumber", "goodsitem", "goodsitemnumber", "itemno", "itemsequence"}
	sectionNames  = []string{"documentsectioncode", "sectioncode", "section"}
	sequenceNames = []string{"sequencenumeric", "sequence", "sequencenumber", "seq", "index", "occurrence"}
	tagNames      = []string{"tagid", "tag", "elementid"}
	contentNames  = []string{"text", "t", "value", "content", "val"}
)

// codeShape matches a CDS code anywhere in a text; numberShape matches a code without its
// prefix.
var (
	codeShape   = lazyregexp.New(`(?i)\b(CDS|DMS)[ _-]?([0-9]{5})\b`)
	numberShape = lazyregexp.New(`^[0-9]{5}$`)
)

// Read finds the errors in objects of any shape: at least one for each object, and several if
// it holds several. It ignores what it does not recognise.
func Read(objects []map[string]json.RawMessage) []ReportedError {
	r := &reading{left: maxNodes}
	var faults []ReportedError
	for _, raw := range objects {
		if len(faults) >= MaxErrors {
			break
		}
		object := make(map[string]any, len(raw))
		for name, value := range raw {
			object[name] = decoded(value)
		}
		found := r.errors(object, 0)
		if len(found) == 0 {
			found = []ReportedError{{}}
		}
		faults = append(faults, found...)
	}
	return faults[:min(len(faults), MaxErrors)]
}

// reading counts how many more nodes may be read.
type reading struct{ left int }

// errors returns the errors in a value. An object is an envelope if it has no CDS code of its
// own and holds objects that have one.
func (r *reading) errors(v any, depth int) []ReportedError {
	if r.left--; r.left < 0 || depth > maxNest {
		return nil
	}
	switch v := v.(type) {
	case []any:
		var all []ReportedError
		for _, element := range v {
			all = append(all, r.errors(element, depth+1)...)
		}
		return all
	case string:
		return inText(v)
	case map[string]any:
		return r.inObject(v, depth)
	}
	return nil
}

func (r *reading) inObject(object map[string]any, depth int) []ReportedError {
	m := members(object)
	own, found := r.errorOf(m)
	names := slices.Sorted(maps.Keys(m))
	if found && isCode(own.Code) {
		names = []string{"error", "errors"}
	}
	var nested []ReportedError
	for _, name := range names {
		nested = append(nested, r.errors(m[name], depth+1)...)
	}
	if found && isCode(own.Code) {
		others := slices.DeleteFunc(nested, func(f ReportedError) bool { return !isCode(f.Code) || f.Code == own.Code && f.Pointers == nil })
		return append([]ReportedError{own}, others...)
	}
	switch {
	case slices.ContainsFunc(nested, func(f ReportedError) bool { return isCode(f.Code) }):
		return slices.DeleteFunc(nested, func(f ReportedError) bool { return !isCode(f.Code) && f.Pointers == nil })
	case found:
		return []ReportedError{own}
	}
	return nested
}

// errorOf reads an object that is one error.
func (r *reading) errorOf(m map[string]any) (f ReportedError, found bool) {
	f.Code = codeOf(m)
	for _, name := range placeNames {
		r.places(&f, m[name], 0)
	}
	number, _ := scalar(m, itemNames)
	atItem(&f, number)
	f.Text, _ = scalar(m, textNames)
	if value, ok := scalar(m, valueNames); ok {
		f.Value = &value
	}
	if code := codeShape.FindString(f.Text); f.Code == "" && code != "" {
		f.Code = normal(code)
	}
	return f, f.Code != "" || len(f.Pointers) > 0 || len(f.Names) > 0 || f.Text != ""
}

// codeOf returns the code under one of its names, preferably a CDS code.
func codeOf(m map[string]any) (code string) {
	for _, name := range codeNames {
		text, ok := textOf(m[name])
		switch {
		case !ok || text == "":
		case isCode(normal(text)):
			return normal(text)
		case code == "" && name != "id" && name != "type" && name != "error":
			code = oneLine(text, maxCode)
		}
	}
	return code
}

// normal writes a CDS code as the catalogue does; other codes stay unchanged.
func normal(code string) string {
	code = strings.TrimSpace(code)
	if numberShape.MatchString(code) {
		return "CDS" + code
	}
	if len(code) > maxText {
		return ""
	}
	if m := codeShape.FindStringSubmatch(code); m != nil {
		return strings.ToUpper(m[1]) + m[2]
	}
	return code
}

func isCode(code string) bool {
	return len(code) == 8 && codeShape.MatchString(code)
}

// inText finds codes in a text, or reads it as a message of CDS.
func inText(text string) (faults []ReportedError) {
	if strings.Contains(text, "<") {
		if ok, err := notification.Decode([]byte(text)); err == nil {
			for _, n := range ok {
				for _, e := range n.Errors {
					faults = append(faults, ReportedError{Code: e.Code, Pointers: e.Pointers, Text: e.Description})
				}
			}
		}
	}
	if faults != nil {
		return faults[:min(len(faults), MaxErrors)]
	}
	for _, code := range codeShape.FindAllString(text[:min(len(text), maxText)], MaxErrors) {
		faults = append(faults, ReportedError{Code: normal(code), Text: text})
	}
	return faults
}

// members returns an object's members by simplified names: @ErrorCode, err:error_code and
// errorCode are equal. Of two equal names the first in order counts.
func members(object map[string]any) map[string]any {
	m := make(map[string]any, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		bare := bareName(name)
		if _, taken := m[bare]; !taken {
			m[bare] = object[name]
		}
	}
	return m
}

func bareName(name string) string {
	name = name[strings.LastIndexByte(name, ':')+1:]
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// scalar returns the first text under one of several names.
func scalar(m map[string]any, names []string) (string, bool) {
	for _, name := range names {
		if text, ok := textOf(m[name]); ok {
			return text, true
		}
	}
	return "", false
}

// textOf returns a text or number, also from {"#text": …} and from a list of one.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case []any:
		if len(v) == 1 {
			return shallow(v[0])
		}
	case map[string]any:
		m := members(v)
		for _, name := range contentNames {
			if text, ok := shallow(m[name]); ok {
				return text, true
			}
		}
	}
	return "", false
}

func shallow(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

// ReportedErrors returns the errors of a message from CDS.
func ReportedErrors(errors []notification.Error) []ReportedError {
	faults := make([]ReportedError, 0, len(errors))
	for _, e := range errors {
		ok := strings.Join(append([]string{e.Description}, e.Remarks...), " ")
		faults = append(faults, ReportedError{Code: e.Code, Pointers: slices.DeleteFunc(slices.Clone(e.Pointers), func(p pointer.Pointer) bool { return len(p) == 0 }), Text: ok})
	}
	return faults
}

// decoded reads JSON, keeping numbers as written; nil if it is not JSON.
func decoded(source []byte) any {
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}
