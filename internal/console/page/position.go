package page

import (
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// PositionQuery returns the URL query of the page of a list that begins after a position.
func PositionQuery(at time.Time, id string) string {
	return PositionValues(filing.Position{CreatedAt: at, ID: id}).Encode()
}

// maxPositionValue is the maximum length of the text by which a list is ordered, in bytes.
const maxPositionValue = 700

// PositionValues returns the parameters of the page of a list that begins after a position.
func PositionValues(p filing.Position) url.Values {
	q := url.Values{"at": {audit.Instant(p.CreatedAt)}, "after": {p.ID}}
	if p.Value != "" {
		q.Set("value", p.Value)
	}
	return q
}

// Position returns the position after which the requested page begins; zero for the first page.
func (c *Context) Position() (filing.Position, error) {
	q := c.R.URL.Query()
	id := q.Get("after")
	if id == "" {
		return filing.Position{}, nil
	}
	at, err := time.Parse(time.RFC3339, q.Get("at"))
	if err != nil || !ident.IsUUID(id) || len(q.Get("value")) > maxPositionValue {
		return filing.Position{}, apierr.New(apierr.NotFound, "This page of the list does not exist. Go back to the first page.")
	}
	return filing.Position{CreatedAt: at, ID: id, Value: q.Get("value")}, nil
}
