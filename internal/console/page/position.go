package page

import (
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Behind is the query of a list's page that begins behind a place: an instant and an id
// stand in the address.
func PositionQuery(at time.Time, id string) string {
	return url.Values{"at": {audit.Instant(at)}, "after": {id}}.Encode()
}

// Place is where the page begins that is asked for; the zero position on the first page.
func (c *Context) Position() (filing.Position, error) {
	q := c.R.URL.Query()
	id := q.Get("after")
	if id == "" {
		return filing.Position{}, nil
	}
	at, err := time.Parse(time.RFC3339, q.Get("at"))
	if err != nil || !ident.IsUUID(id) {
		return filing.Position{}, apierr.New(apierr.NotFound, "There is no such page of this list.")
	}
	return filing.Position{CreatedAt: at, ID: id}, nil
}
