package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Headers of conditional requests (RFC 9110, section 13).
const (
	ifMatchHeader     = "If-Match"
	ifNoneMatchHeader = "If-None-Match"
	// maxConditions is the length limit of each in bytes.
	maxConditions = 1000
)

// revalidate is the Cache-Control of an answer that a caller may keep if it asks each time whether it is current.
const revalidate = "private, no-cache"

var ifMatchParam = &huma.Param{
	Name: ifMatchHeader, In: "header", Example: `"3"`,
	Description: "ETag of the version to change, several of them, or *. If the record has another version: 412, and nothing changes",
	Schema:      &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(maxConditions)},
}

var ifNoneMatchParam = &huma.Param{
	Name: ifNoneMatchHeader, In: "header", Example: `"3"`,
	Description: "ETag of an earlier answer; 304 without a body if it is still current",
	Schema:      &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(maxConditions)},
}

var etagParam = &huma.Param{
	Description: "The record's version in quotes, for If-Match and If-None-Match",
	Schema:      &huma.Schema{Type: huma.TypeString}, Example: `"3"`,
}

// contentTagParam is the ETag of an answer that is no record.
var contentTagParam = &huma.Param{
	Description: "A digest of the answer in quotes, for If-None-Match",
	Schema:      &huma.Schema{Type: huma.TypeString}, Example: `"9f86d081884c7d65"`,
}

// etagOf returns the ETag of a version of a record.
func etagOf(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// conditions are the entity tags of a conditional header, without quotes, W/ and the suffix of a content encoding.
type conditions struct {
	sent bool
	any  bool // the header is *
	tags []string
}

// match reports whether the conditions include an ETag.
func (c conditions) match(etag string) bool {
	return c.sent && (c.any || slices.Contains(c.tags, strings.Trim(etag, `"`)))
}

// versions returns the versions of a record that the conditions allow. What follows a hyphen in a tag
// names a representation of the version.
func (c conditions) versions() filing.IfVersion {
	if !c.sent || c.any {
		return nil
	}
	versions := filing.IfVersion{}
	for _, tag := range c.tags {
		number, _, _ := strings.Cut(tag, "-")
		if v, err := strconv.ParseInt(number, 10, 64); err == nil && strconv.FormatInt(v, 10) == number {
			versions = append(versions, v)
		}
	}
	return versions
}

// conditionsOf parses a conditional header: * or a list of entity tags.
func conditionsOf(h http.Header, name string) (c conditions, details []apierr.Detail) {
	values := h.Values(name)
	if len(values) == 0 {
		return c, nil
	}
	text := strings.Join(values, ",")
	if len(text) > maxConditions {
		return c, []apierr.Detail{{Field: name, Message: "must not be longer than " + strconv.Itoa(maxConditions)}}
	}
	if strings.Trim(text, " \t") == "*" {
		return conditions{sent: true, any: true}, nil
	}
	tags, ok := parseETags(text)
	if !ok {
		return c, []apierr.Detail{{Field: name, Message: `must be * or a list of ETags in quotes, such as "3"`}}
	}
	return conditions{sent: true, tags: tags}, nil
}

// encodings are the content encodings whose names follow a hyphen in the ETag of a compressed answer.
var encodings = []string{"-gzip", "-zstd", "-br", "-deflate"}

// parseETags parses a list of entity tags (RFC 9110, section 8.8.3), and reports whether it is well-formed.
func parseETags(text string) (tags []string, ok bool) {
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			return tags, tags != nil
		}
		text = strings.TrimPrefix(text, "W/")
		if text == "" || text[0] != '"' {
			return nil, false
		}
		tag, rest, closed := strings.Cut(text[1:], `"`)
		if !closed || strings.ContainsFunc(tag, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
			return nil, false
		}
		if text = strings.TrimLeft(rest, " \t"); text != "" && text[0] != ',' {
			return nil, false
		}
		for _, encoding := range encodings {
			tag = strings.TrimSuffix(tag, encoding)
		}
		tags = append(tags, tag)
	}
}

// readConditions reads the conditional headers that the operation supports.
func (c *caller) readConditions() {
	switch {
	case c.op.ifMatch:
		var sent conditions
		sent, c.malformed = conditionsOf(c.request.Header, ifMatchHeader)
		c.ifMatch = sent.versions()
	case c.op.etag && c.op.conditional:
		c.ifNoneMatch, c.malformed = conditionsOf(c.request.Header, ifNoneMatchHeader)
	}
}

// recordResponse adds the ETag of the record in a response; a version of 0 adds none.
func recordResponse(r response, version int64) response {
	if version != 0 {
		r.version, r.ETag = version, etagOf(version)
	}
	return r
}

// currentFor returns 304 without a body if the caller has the current version of a record.
func (c *caller) currentFor(version int64) (out response, current bool) {
	return c.currentAs(etagOf(version))
}

// currentAs is currentFor for the ETag of a representation.
func (c *caller) currentAs(etag string) (out response, current bool) {
	if !c.ifNoneMatch.match(etag) {
		return response{}, false
	}
	return response{Status: http.StatusNotModified, ETag: etag, Cache: revalidate}, true
}
