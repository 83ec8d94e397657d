package settings

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/console/fieldset"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

const customsPath = "/settings/customs"

// customsRoutes are for what the organisation agrees on with customs.
func (s *Settings) customsRoutes() []page.Route {
	return []page.Route{page.Get(customsPath, page.ForViewer, s.customsPage), page.Post(customsPath, page.ForOwner, s.saveCustoms)}
}

// termsForm returns the form of accounts, guarantees, authorisations and the rest.
var termsForm = sync.OnceValue(func() *form.Form {
	return form.New(schema.NewSchemas(), reflect.TypeFor[terms.Terms](), nil).Describe(fieldset.Selection{Record: fields.Organisation}.Describe)
})

func (s *Settings) customsPage(c *page.Context) error {
	stored, err := s.storedTerms(c)
	if err != nil {
		return err
	}
	return c.Show("settings-customs", "Customs", termsForm().Fill(stored))
}

// storedTerms returns the organisation's terms as the body of the form.
func (s *Settings) storedTerms(c *page.Context) (body json.RawMessage, err error) {
	err = c.View(func(tx page.Tx) error {
		o, err := tx.Organisation()
		if err != nil {
			return err
		}
		body, err = json.Marshal(o.Profile.Terms)
		return err
	})
	return body, err
}

func (s *Settings) saveCustoms(c *page.Context) error {
	filled := termsForm().Read(c.R.PostForm)
	if filled.RowsChanged || filled.Errors != nil {
		c.ShowErrors(filled.Errors)
		return c.Show("settings-customs", "Customs", filled)
	}
	err := c.Update(func(tx page.Tx) error {
		o, err := tx.Organisation()
		if err != nil {
			return err
		}
		profile := o.Profile
		profile.Terms = terms.Terms{}
		if err := json.Unmarshal(filled.Body, &profile.Terms); err != nil {
			return err
		}
		_, err = s.Access.UpdateOrganisation(tx, c.Call(), o.Name, profile)
		return err
	})
	if f, is := apierr.As(err); is && f.Code == apierr.InvalidRequest {
		filled.AddErrors(f.Details...)
		c.ShowErrors(filled.Errors)
		return c.Show("settings-customs", "Customs", filled)
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(customsPath, "organisation-saved")
}
