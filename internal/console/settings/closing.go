package settings

import (
	"encoding/json"
	"mime"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// closingRoutes close and restore the organisation: with a form, and with the API and a console session.
func (s *Settings) closingRoutes() []page.Route {
	return []page.Route{
		page.Post("/settings/data/close", page.ForOwner, s.closeByForm).WithRecentProof(),
		page.Post("/settings/data/restore", page.ForOwner, s.restoreByForm).WhileClosed(),
		page.Route{Method: http.MethodDelete, Path: OrganisationPath, For: page.ForOwner, Handle: s.closeByAPI}.AsAPI().WithRecentProof().WhileClosed(),
		page.Post(RestorePath, page.ForOwner, s.restoreByAPI).AsAPI().WhileClosed(),
	}
}

// Paths of the API operations that accept a console session.
const (
	OrganisationPath = "/api/organisation"
	RestorePath      = "/api/organisation/restore"
)

func (s *Settings) closeByForm(c *page.Context) error {
	if _, err := s.Closure.Close(c.R.Context(), c.Call(), c.Session.ID, c.Value("name")); err != nil {
		return c.Redisplay(err, func() error { return s.dataPage(c) })
	}
	return c.RedirectWithNotice(page.ClosedPath, "organisation-closed")
}

func (s *Settings) restoreByForm(c *page.Context) error {
	if _, err := s.Closure.Restore(c.R.Context(), c.Call()); err != nil {
		return c.Redisplay(err, func() error { return s.dataPage(c) })
	}
	return c.RedirectWithNotice(page.ClosedPath, "organisation-restored")
}

func (s *Settings) closeByAPI(c *page.Context) error {
	name, err := readName(c)
	if err != nil {
		return err
	}
	org, err := s.Closure.Close(c.R.Context(), c.Call(), c.Session.ID, name)
	if err != nil {
		return err
	}
	return c.Answer(http.StatusOK, closure.NewClosingBody(org))
}

func (s *Settings) restoreByAPI(c *page.Context) error {
	org, err := s.Closure.Restore(c.R.Context(), c.Call())
	if err != nil {
		return err
	}
	return c.Answer(http.StatusOK, closure.NewClosingBody(org))
}

// closingSchemas validates the request body.
var closingSchemas = schema.NewSchemas()

// readName reads the organisation's name from the request body, which confirms the closing.
func readName(c *page.Context) (string, error) {
	if kind, _, _ := mime.ParseMediaType(c.R.Header.Get("Content-Type")); kind != "application/json" {
		return "", apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	body, err := c.ReadBody()
	if err != nil {
		return "", err
	}
	if details := (schema.Validator{Schemas: closingSchemas}).Check(closingSchemas.Of(reflect.TypeFor[closure.ClosingInput]()), body); details != nil {
		return "", apierr.Invalid(details...)
	}
	var in closure.ClosingInput
	err = json.Unmarshal(body, &in)
	return in.Name, err
}

// closingView is what the data page shows about closing the organisation.
type closingView struct {
	access.Closing
	Days int    // from closing to deletion
	Kept string // retention period of records, such as 6 years
	Law  string // legal basis of the retention period
}
