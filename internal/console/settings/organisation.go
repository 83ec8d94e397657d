package settings

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// organisationRoutes are for the organisation's profile, webhook policy and connection to customs.
func (s *Settings) organisationRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings", page.ForViewer, s.organisationPage),
		page.Post("/settings", page.ForOwner, s.saveOrganisation),
		page.Post("/settings/webhooks", page.ForOwner, s.saveWebhookPolicy).WithRecentProof(),
		page.Post("/settings/approval", page.ForOwner, s.saveApprovalPolicy).WithRecentProof(),
		page.Post("/settings/connection", page.ForViewer, s.checkConnection),
	}
}

// checkTimeout limits the check of the connection to customs.
const checkTimeout = 10 * time.Second

// organisationView is the data of the organisation page.
type organisationView struct {
	access.Organisation
	Connection Customs
	Checked    bool
	Problem    string // error of the connection check
}

func (s *Settings) organisationPage(c *page.Context) error {
	return s.showOrganisation(c, organisationView{})
}

func (s *Settings) showOrganisation(c *page.Context, shown organisationView) error {
	shown.Connection = s.Connection
	err := c.View(func(tx page.Tx) (err error) { shown.Organisation, err = tx.Organisation(); return err })
	if err != nil {
		return err
	}
	return c.Show("settings-organisation", "Organisation", shown)
}

func (s *Settings) saveOrganisation(c *page.Context) error {
	profile, err := profile(c)
	if err == nil {
		err = c.Update(func(tx page.Tx) error {
			o, err := tx.Organisation()
			if err != nil {
				return err
			}
			profile.Terms, profile.Portal = o.Profile.Terms, o.Profile.Portal // they have forms of their own
			_, err = s.Access.UpdateOrganisation(tx, c.Call(), c.Value("name"), profile)
			return err
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.organisationPage(c) })
	}
	return c.RedirectWithNotice("/settings", "organisation-saved")
}

// saveWebhookPolicy sets whether MEMBERs can manage webhook endpoints.
func (s *Settings) saveWebhookPolicy(c *page.Context) error {
	return s.savePolicy(c, func(p *access.Policy) {
		p.MembersMayManageWebhooks = c.Value("membersMayManageWebhooks") != ""
	})
}

// saveApprovalPolicy sets whether a second person must approve what is submitted.
func (s *Settings) saveApprovalPolicy(c *page.Context) error {
	return s.savePolicy(c, func(p *access.Policy) { p.ApprovalRequired = c.Value("approvalRequired") != "" })
}

func (s *Settings) savePolicy(c *page.Context, set func(*access.Policy)) error {
	err := c.Update(func(tx page.Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		set(&org.Policy)
		_, err = s.Access.UpdatePolicy(tx, c.Call(), org.Policy)
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings", "organisation-saved")
}

// profile reads the organisation's profile from the form; the error has all invalid fields.
func profile(c *page.Context) (p access.Profile, err error) {
	var wrong []apierr.Detail
	length := func(field string, longest int) string {
		text := c.Value(field)
		if len([]rune(text)) > longest {
			wrong = append(wrong, tooLong(field, longest))
		}
		return text
	}
	form := func(field, text string, parse func(string) (string, error)) string {
		if text == "" {
			return ""
		}
		normal, err := parse(text)
		if err != nil {
			wrong = append(wrong, apierr.Detail{Field: field, Message: err.Error()})
			return text
		}
		return normal
	}
	p = access.Profile{
		EORI:         form("eori", c.Value("eori"), textOf(ident.ParseEORI)),
		VATNumber:    form("vatNumber", c.Value("vatNumber"), textOf(ident.ParseVRN)),
		Country:      form("country", strings.ToUpper(c.Value("country")), textOf(ident.ParseCountry)),
		ContactEmail: length("contactEmail", 254), ContactName: length("contactName", 140),
		AddressLine1: length("addressLine1", 70), AddressLine2: length("addressLine2", 70), City: length("city", 35), Postcode: length("postcode", 9),
		Representation: c.Value("representation"), DefermentAccount: c.Value("defermentAccount"),
		PostponedVAT: c.Value("postponedVat") != "", GuaranteeRequired: c.Value("guaranteeRequired") != "",
	}
	if len(c.Value("name")) == 0 || len([]rune(c.Value("name"))) > 140 {
		wrong = append(wrong, apierr.Detail{Field: "name", Message: "must have 1 to 140 characters"})
	}
	switch p.Representation {
	case "", "direct", "indirect", "self":
	default:
		wrong = append(wrong, apierr.Detail{Field: "representation", Message: "must be one of the choices"})
	}
	if p.DefermentAccount != "" && !isDigits(p.DefermentAccount, defermentDigits) {
		wrong = append(wrong, apierr.Detail{Field: "defermentAccount", Message: "must have 7 digits, such as 1234567"})
	}
	if wrong != nil {
		return p, apierr.Invalid(wrong...)
	}
	return p, nil
}

const defermentDigits = 7

func (s *Settings) checkConnection(c *page.Context) error {
	ctx, cancel := context.WithTimeout(c.R.Context(), checkTimeout)
	defer cancel()
	shown := organisationView{Checked: true}
	if err := s.Connection.Check(ctx); err != nil {
		c.Log.Warn("connection check of customs failed", "requestId", c.Visitor.RequestID, "error", err)
		shown.Problem = "Customs does not answer correctly. Declarations keep their status until it does."
		if f, ok := apierr.As(err); ok {
			shown.Problem = f.Message
		}
		c.Status = http.StatusBadGateway
	}
	return s.showOrganisation(c, shown)
}
