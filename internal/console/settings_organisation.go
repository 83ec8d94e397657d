package console

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/ident"
)

// The organisation, what goes into its declarations, and the connection to customs.
func (c *Console) organisationRoutes() []Route {
	return []Route{
		{"GET", "/settings", ForViewer, 0, c.organisationPage},
		{"POST", "/settings", ForOwner, 0, c.saveOrganisation},
		{"POST", "/settings/connection", ForViewer, 0, c.checkConnection},
	}
}

// checkPatience is how long customs may take to show that it is there.
const checkPatience = 10 * time.Second

// organisationView is what the page of the organisation shows.
type organisationView struct {
	access.Organisation
	Connection Customs
	Checked    bool
	Problem    string // of the connection, as it was checked
}

func (c *Console) organisationPage(v *visit) error { return c.showOrganisation(v, organisationView{}) }

func (c *Console) showOrganisation(v *visit, shown organisationView) error {
	shown.Connection = c.Connection
	err := v.view(func(tx Tx) (err error) { shown.Organisation, err = tx.Organisation(); return err })
	if err != nil {
		return err
	}
	return v.show("settings-organisation", "Organisation", shown)
}

func (c *Console) saveOrganisation(v *visit) error {
	profile, err := v.profile()
	if err == nil {
		err = v.update(func(tx Tx) error {
			_, err := c.Access.UpdateOrganisation(tx, v.call(), v.value("name"), profile)
			return err
		})
	}
	if err != nil {
		return v.again(err, func() error { return c.organisationPage(v) })
	}
	return v.done("/settings", "organisation-saved")
}

// profile reads what the form says of the organisation, and names all that is wrong.
func (v *visit) profile() (p access.Profile, err error) {
	var wrong []fault.Detail
	length := func(field string, longest int) string {
		text := v.value(field)
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
			wrong = append(wrong, fault.Detail{Field: field, Message: err.Error()})
			return text
		}
		return normal
	}
	p = access.Profile{
		EORI:         form("eori", v.value("eori"), plain(ident.ParseEORI)),
		VATNumber:    form("vatNumber", v.value("vatNumber"), plain(ident.ParseVRN)),
		Country:      form("country", strings.ToUpper(v.value("country")), plain(ident.ParseCountry)),
		ContactEmail: length("contactEmail", 254), ContactName: length("contactName", 140),
		AddressLine1: length("addressLine1", 70), AddressLine2: length("addressLine2", 70), City: length("city", 35), Postcode: length("postcode", 9),
		Representation: v.value("representation"), DefermentAccount: v.value("defermentAccount"),
		PostponedVAT: v.value("postponedVat") != "", GuaranteeRequired: v.value("guaranteeRequired") != "",
	}
	if len(v.value("name")) == 0 || len([]rune(v.value("name"))) > 140 {
		wrong = append(wrong, fault.Detail{Field: "name", Message: "must have 1 to 140 characters"})
	}
	switch p.Representation {
	case "", "direct", "indirect", "self":
	default:
		wrong = append(wrong, fault.Detail{Field: "representation", Message: "must be one of the choices"})
	}
	if p.DefermentAccount != "" && !isDigits(p.DefermentAccount, defermentDigits) {
		wrong = append(wrong, fault.Detail{Field: "defermentAccount", Message: "must have 7 digits, such as 1234567"})
	}
	if wrong != nil {
		return p, fault.Invalid(wrong...)
	}
	return p, nil
}

const defermentDigits = 7

func (c *Console) checkConnection(v *visit) error {
	ctx, cancel := context.WithTimeout(v.r.Context(), checkPatience)
	defer cancel()
	shown := organisationView{Checked: true}
	if err := c.Connection.Check(ctx); err != nil {
		c.Log.Warn("customs does not answer", "requestId", v.visitor.RequestID, "error", err)
		shown.Problem = "Customs does not answer as it should. Declarations stay as they are until it does."
		if f, ok := fault.As(err); ok {
			shown.Problem = f.Message
		}
		v.status = http.StatusBadGateway
	}
	return c.showOrganisation(v, shown)
}
