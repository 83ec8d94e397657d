package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// manyMembers is the number of members from which those that are null are left out: the columns of an import.
const manyMembers = 100

// What is left of an answer: bytes of one that is not JSON, characters of a text of several words, and elements of a list.
const (
	longText     = 100
	longSentence = 50
	longList     = 3
)

// shorten returns an example with the first element of each list of objects, so that the document stays small.
func shorten(v any) any {
	switch v := v.(type) {
	case object:
		many := len(v) > manyMembers
		for name, member := range v {
			if v[name] = shorten(member); member == nil && many {
				delete(v, name)
			}
		}
	case []any:
		v = slices.DeleteFunc(v, likeSchema)
		for i, one := range v {
			v[i] = shorten(one)
		}
		if len(v) > 1 {
			if _, record := v[0].(object); record {
				return v[:1]
			}
		}
		return v
	}
	return v
}

// brief returns an answer whose long texts are cut off, after a word if possible, and long lists and maps. A text without
// spaces, such as an address, stays whole unless it is JSON, as what a second person approves can be.
func brief(v any) any {
	switch v := v.(type) {
	case object:
		names := slices.Sorted(maps.Keys(v))
		for i, name := range names {
			if v[name] = brief(v[name]); i >= longList && strings.Contains(names[0], ".") {
				delete(v, name) // of a map by kind of record, whose names have dots
			}
		}
	case []any:
		v = v[:min(len(v), longList)]
		for i, one := range v {
			v[i] = brief(one)
		}
		return v
	case string:
		text := []rune(v)
		if len(text) <= longSentence || !strings.Contains(v, " ") && !strings.HasPrefix(v, "{") {
			return v
		}
		start := string(text[:longSentence])
		if end := strings.LastIndex(start, " "); end > 0 {
			start = start[:end]
		}
		return strings.TrimRight(start, " ,;:") + "…"
	}
	return v
}

// likeSchema reports whether an object has the members by which linters recognise a schema with an example: it is left out, such as
// an event type.
func likeSchema(v any) bool {
	o, _ := v.(object)
	return o["type"] != nil && o["example"] != nil
}

// excerpt returns the beginning of an answer that is not JSON, in whole lines if they are short.
func excerpt(v any) any {
	text, ok := v.(string)
	if !ok || len(text) <= longText {
		return v
	}
	text = text[:longText]
	if end := strings.LastIndex(text, "\n"); end > longText/2 {
		text = text[:end+1]
	}
	return text + "…"
}

// constants replace what differs between two recordings.
var constants = []struct {
	found *regexp.Regexp
	by    string
}{
	{regexp.MustCompile(`svc_test[0-9A-Za-z]{28}`), "svc_testExampleExampleExampleExample"},
	{regexp.MustCompile(`svc_[0-9A-Za-z]{32}`), "svc_ExampleExampleExampleExampleExam"},
	{regexp.MustCompile(`whsec_[0-9A-Za-z+/=_-]+`), "whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZQ=="},
	{regexp.MustCompile(`"(nextCursor|cursor)": "[^"]+"`), `"$1": "AZ8A-example-cursor"`},
	{regexp.MustCompile(`"lrn": "[0-9A-Z]+"`), `"lrn": "TW27K4M9Q2X7"`},
	{regexp.MustCompile(`"mrn": "\d\dGB[0-9A-Z]{14}"`), `"mrn": "26GB4X1V6Q8R3T7K95"`},
	{regexp.MustCompile(`"arc": "\d\dGB[0-9A-Z]{17}"`), `"arc": "26GB4X1V6Q8R3T7K9512Z"`},
	{regexp.MustCompile(`"\dGB\d{12}-[0-9A-Z]+"`), `"6GB205672280000-1M8E3Q94WYE6XTYFY6E"`},
	{regexp.MustCompile(`(cal_|scim_|/connect/|/claim/|/portal/)[0-9A-Za-z_-]{30,}`), "${1}ExampleExampleExampleExampleExample"},
	{regexp.MustCompile(`[0-9A-Za-z+/]{86}==`), strings.Repeat("Example/", 10) + "Exampl=="},
	{regexp.MustCompile(`(v1,)?[0-9A-Za-z+/]{43}=`), "${1}" + strings.Repeat("Example/", 5) + "Exa="},
	{regexp.MustCompile(`"[0-9a-f]{32}"`), `"449622ba10fc87b174fc0f701898565a"`},
	{regexp.MustCompile(`(t=|"reset": )17\d{8}`), "${1}1795770000"},
	{regexp.MustCompile(`"lastFour": "[0-9A-Za-z]{4}"`), `"lastFour": "Exam"`},
	{regexp.MustCompile(`127\.0\.0\.1(:\d+)?`), "203.0.113.6"},
	{regexp.MustCompile(`https?://203\.0\.113\.6/`), "https://test-api.service.hmrc.gov.uk/"},
}

var (
	identifier = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)
	digest     = regexp.MustCompile(`[0-9a-f]{64}`)
	moment     = regexp.MustCompile(recordedAt.Format(time.DateOnly) + `T(09:\d\d:\d\d(\.\d+)?)`)
	later      = regexp.MustCompile(`T09:\d\d:\d\d\.\d+`) // of another day, such as the end of a period that began then
)

// constant returns an example in which identifiers, digests, secrets, cursors and the time of the recording, which differ in
// each recording, are the same each time and in examples of the same record, and small when they are compressed.
func constant(example any) (any, error) {
	text, err := json.MarshalIndent(example, "", " ")
	if err != nil {
		return nil, err
	}
	for _, c := range constants {
		text = c.found.ReplaceAll(text, []byte(c.by))
	}
	text = numbered(text, identifier, "0192f3c4-7a10-7c3e-8f00-%012x")
	text = numbered(text, digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852%04x")
	text = moment.ReplaceAll(text, []byte(recordedAt.Format(time.DateOnly)+"T09:00:00.000"))
	text = later.ReplaceAll(text, []byte("T09:00:00.000"))
	return exact(text), nil
}

// numbered replaces what fits a pattern by numbers, in the order of appearance.
func numbered(text []byte, found *regexp.Regexp, format string) []byte {
	known := map[string]string{}
	return found.ReplaceAllFunc(text, func(one []byte) []byte {
		if known[string(one)] == "" {
			known[string(one)] = fmt.Sprintf(format, len(known)+1)
		}
		return []byte(known[string(one)])
	})
}
