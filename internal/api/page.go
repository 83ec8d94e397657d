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

// Page is what every list takes.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many, at most" example:"50"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the page before"`
}

// limit is the size of the page; left out it is 50.
func (p Page) size() int {
	if p.Limit == 0 {
		return 50
	}
	return p.Limit
}

// listSchema is the schema of a page.
func listSchema(name string, item *huma.Schema) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject,
		Properties: map[string]*huma.Schema{
			name:         {Type: huma.TypeArray, Items: item},
			"hasMore":    {Type: huma.TypeBoolean, Description: "Whether there is another page"},
			"nextCursor": {Type: huma.TypeString, Nullable: true, Description: "Send it as cursor to get the next page"},
		},
		Required: []string{name, "hasMore", "nextCursor"},
	}
}

const badCursor = "must be the nextCursor of an earlier answer to this list"

var errCursor = apierr.Invalid(apierr.Detail{Field: "cursor", Message: badCursor})

// list is a list of an organisation: a cursor is good for it alone.
type list struct {
	org  tenant.ID
	name string
}

// cursor names a place in the list. Its seal says which list that is; it is no
// secret, since whatever the place, only the organisation's own records are read.
func (l list) cursor(place string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(l.seal(place) + place))
}

// sealLength is the length of a seal in bytes of text.
const sealLength = 12

func (l list) seal(place string) string {
	sum := sha256.Sum256([]byte("cursor\n" + string(l.org) + "\n" + l.name + "\n" + place))
	return hex.EncodeToString(sum[:sealLength/2])
}

// place reads a cursor; the empty one is the beginning.
func (l list) place(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(text) <= sealLength || l.cursor(string(text[sealLength:])) != cursor {
		return "", errCursor
	}
	return string(text[sealLength:]), nil
}

// judge tells what is wrong with a cursor, beside what is wrong with other parameters.
func (l list) judge(cursor string) []error {
	if _, err := l.place(cursor); err != nil {
		return []error{wrong("cursor", badCursor)}
	}
	return nil
}

// behind is the cursor behind a position.
func (l list) behind(p filing.Position) string {
	return l.cursor(strconv.FormatInt(p.CreatedAt.UnixMilli(), 36) + " " + p.ID)
}

// position reads a cursor that behind has made.
func (l list) position(cursor string) (filing.Position, error) {
	place, err := l.place(cursor)
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

// turn is what a page shows of what was read for it, which is one more where there is
// another page, and the cursor to that: nil where there is none.
func turn[T any](read []T, size int, cursor func(last T) string) (shown []T, next *string) {
	if len(read) <= size {
		return read, nil
	}
	shown = read[:size]
	return shown, ptr(cursor(shown[size-1]))
}

// canonical is the lower-case form of a UUID.
func canonical(id string) (string, bool) {
	id = strings.ToLower(id)
	return id, ident.IsUUID(id)
}
