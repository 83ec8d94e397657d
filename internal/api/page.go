package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of the records on a page of the lists that have short pages.
const (
	defaultPage = 50
	maxPage     = 200
)

// wholePage is the number of records on a page of the other lists, which callers may read without
// knowing of pages.
const wholePage = 1000

// WholePage holds the parameters of a list that is returned whole, up to 1,000 records.
type WholePage struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"Maximum number of records on a page" example:"1000"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the previous page"`
}

// size returns the page size; the default is 1,000.
func (p WholePage) size() int {
	if p.Limit == 0 {
		return wholePage
	}
	return p.Limit
}

// Page holds the parameters of a list with short pages.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Maximum number of records on a page" example:"50"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the previous page"`
}

// size returns the page size; the default is 50.
func (p Page) size() int {
	if p.Limit == 0 {
		return defaultPage
	}
	return p.Limit
}

// listSchema returns the schema of a page.
func listSchema(name string, item *huma.Schema) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			name:         {Type: huma.TypeArray, Items: item},
			"hasMore":    {Type: huma.TypeBoolean, Description: "Whether there is another page"},
			"nextCursor": {Type: huma.TypeString, Nullable: true, Description: "Cursor of the next page; null on the last page"},
		},
		Required: []string{name, "hasMore", "nextCursor"},
	}
}

const badCursor = "must be the nextCursor of an earlier page of this list"

var errCursor = apierr.Invalid(apierr.Detail{Field: "cursor", Message: badCursor})

// listID identifies a list of an organisation. A cursor is valid for one list only.
type listID struct {
	org  tenant.ID
	name string
}

// encode encodes a position in the list. The checksum ties it to the list. It is not a secret:
// whatever the position, only records of the caller's organisation are read.
func (l listID) encode(place string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(l.checksum(place) + place))
}

// checksumLength is the length of the checksum in hexadecimal digits.
const checksumLength = 12

func (l listID) checksum(place string) string {
	sum := sha256.Sum256([]byte("cursor\n" + string(l.org) + "\n" + l.name + "\n" + place))
	return hex.EncodeToString(sum[:checksumLength/2])
}

// decode decodes a cursor; "" stands for the beginning.
func (l listID) decode(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(text) <= checksumLength || l.encode(string(text[checksumLength:])) != cursor {
		return "", errCursor
	}
	return string(text[checksumLength:]), nil
}

// checkCursor returns an error if the cursor is not valid for this list.
func (l listID) checkCursor(cursor string) []error {
	if _, err := l.decode(cursor); err != nil {
		return []error{paramError("cursor", badCursor)}
	}
	return nil
}

// cursorAfter returns the cursor of the records after a position.
func (l listID) cursorAfter(p filing.Position) string {
	return l.encode(strconv.FormatInt(p.CreatedAt.UnixMilli(), 36) + " " + p.ID)
}

// decodePosition decodes a cursor that cursorAfter has made.
func (l listID) decodePosition(cursor string) (filing.Position, error) {
	place, err := l.decode(cursor)
	if err != nil || place == "" {
		return filing.Position{}, err
	}
	at, id, found := strings.Cut(place, " ")
	ms, err := strconv.ParseInt(at, 36, 64)
	if !found || err != nil || !ident.IsUUID(id) {
		return filing.Position{}, errCursor
	}
	return filing.Position{CreatedAt: time.UnixMilli(ms).UTC(), ID: id}, nil
}

// splitPage splits records into a page of the given size and the cursor of the next page. The caller reads
// one record more than fits; without it the cursor is nil.
func splitPage[T any](read []T, size int, cursor func(last T) string) (shown []T, next *string) {
	if len(read) <= size {
		return read, nil
	}
	shown = read[:size]
	return shown, ptr(cursor(shown[size-1]))
}

// canonicalUUID returns a UUID in lower case and reports whether it is one.
func canonicalUUID(id string) (string, bool) {
	id = strings.ToLower(id)
	return id, ident.IsUUID(id)
}
