package api

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ident"
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

var errCursor = fault.Invalid(fault.Detail{Field: "cursor", Message: "must be the nextCursor of an earlier answer"})

// cursorOf names the place behind a record.
func cursorOf(f *filing.Filing) string {
	return encodeCursor(strconv.FormatInt(f.CreatedAt.UnixMilli(), 36) + " " + f.ID)
}

func encodeCursor(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func decodeCursor(cursor string) (string, bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	return string(text), err == nil
}

// position reads a cursor; the empty one is the beginning.
func position(cursor string) (filing.Position, error) {
	if cursor == "" {
		return filing.Position{}, nil
	}
	text, ok := decodeCursor(cursor)
	at, id, found := strings.Cut(text, " ")
	ms, err := strconv.ParseInt(at, 36, 64)
	if !ok || !found || err != nil || !ident.IsUUID(id) {
		return filing.Position{}, errCursor
	}
	return filing.Position{CreatedAt: time.UnixMilli(ms).UTC(), ID: id}, nil
}

// canonical is the lower-case form of a UUID.
func canonical(id string) (string, bool) {
	id = strings.ToLower(id)
	return id, ident.IsUUID(id)
}
