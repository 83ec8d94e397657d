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

// The end of the organisation: by a form of the console, and by the API with the console's session.
func (s *Settings) closingRoutes() []page.Route {
	return []page.Route{
		page.Post("/settings/data/close", page.ForOwner, s.closeByForm).Freshly(),
		page.Post("/settings/data/restore", page.ForOwner, s.restoreByForm).WhileClosed(),
		page.Route{Method: http.MethodDelete, Path: OrganisationPath, For: page.ForOwner, Do: s.closeByAPI}.AsAPI().Freshly().WhileClosed(),
		page.Post(RestorePath, page.ForOwner, s.restoreByAPI).AsAPI().WhileClosed(),
	}
}

// Paths of the operations of the API that take a session of the console.
const (
	OrganisationPath = "/api/organisation"
	RestorePath      = "/api/organisation/restore"
)

func (s *Settings) closeByForm(v *page.Visit) error {
	if _, err := s.Closure.Close(v.R.Context(), v.Call(), v.Session.ID, v.Value("name")); err != nil {
		return v.Again(err, func() error { return s.dataPage(v) })
	}
	return v.Done(page.ClosedPath, "organisation-closed")
}

func (s *Settings) restoreByForm(v *page.Visit) error {
	if _, err := s.Closure.Restore(v.R.Context(), v.Call()); err != nil {
		return v.Again(err, func() error { return s.dataPage(v) })
	}
	return v.Done(page.ClosedPath, "organisation-restored")
}

func (s *Settings) closeByAPI(v *page.Visit) error {
	name, err := readName(v)
	if err != nil {
		return err
	}
	org, err := s.Closure.Close(v.R.Context(), v.Call(), v.Session.ID, name)
	if err != nil {
		return err
	}
	return v.Answer(http.StatusOK, closure.Show(org))
}

func (s *Settings) restoreByAPI(v *page.Visit) error {
	org, err := s.Closure.Restore(v.R.Context(), v.Call())
	if err != nil {
		return err
	}
	return v.Answer(http.StatusOK, closure.Show(org))
}

// closingSchemas has the schema of the body.
var closingSchemas = schema.NewSchemas()

// readName reads the body of the operation that closes the organisation.
func readName(v *page.Visit) (string, error) {
	if kind, _, _ := mime.ParseMediaType(v.R.Header.Get("Content-Type")); kind != "application/json" {
		return "", apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	body, err := v.ReadBody()
	if err != nil {
		return "", err
	}
	if details := (schema.Reader{Schemas: closingSchemas}).Check(closingSchemas.Of(reflect.TypeFor[closure.ClosingInput]()), body); details != nil {
		return "", apierr.Invalid(details...)
	}
	var in closure.ClosingInput
	err = json.Unmarshal(body, &in)
	return in.Name, err
}

// closingView is what the page of the data shows of the end of the organisation.
type closingView struct {
	access.Closing
	Days int    // from closing to the deletion
	Kept string // how long records are kept, such as 6 years
	Law  string // legal ground on which they are kept
}
