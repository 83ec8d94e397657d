package declare

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// amendView is the data of the page that shows an amendment before it is sent.
type amendView struct {
	ID, LRN      string
	Version      int64 // of the record for which the page was made
	Changes      []customs.AmendedElement
	Reasons      []customs.AmendmentReason
	Code, Reason string
}

// changesShown is the maximum number of changes on a page.
const changesShown = 200

// Shown returns the first changes.
func (v *amendView) Shown() []customs.AmendedElement {
	return v.Changes[:min(len(v.Changes), changesShown)]
}

// Hidden returns the number of changes that are not shown.
func (v *amendView) Hidden() int { return max(0, len(v.Changes)-changesShown) }

// Name returns the name of a changed field.
func (v *amendView) Name(field string) string { return form.Path(field) }

// amend opens the form of a declaration that customs has.
func (d *Declare) amend(c *page.Context) error {
	err := c.View(func(tx page.Tx) error {
		f, err := tx.Filing(d.Customs.Type.Kind, c.ID())
		if err == nil {
			err = customs.MayAmend(&f)
		}
		return err
	})
	if err != nil {
		return err
	}
	if d.remembers(c) == onOnePage {
		return c.Redirect(path(c.ID(), stepPage))
	}
	return c.Redirect(path(c.ID(), worksheet.StepCheck))
}

// amends reports whether a worksheet is for an amendment: customs has the declaration.
func (d *Declare) amends(tx page.Tx, s *worksheet.Worksheet) (bool, error) {
	if s.Purpose() == worksheet.New || s.Template {
		return false, nil
	}
	f, err := tx.Filing(d.Customs.Type.Kind, s.ID)
	return err == nil && customs.MayAmend(&f) == nil, err
}

// amendedBody returns what a worksheet makes of the declaration's body. Clients and shipments are not amended.
func (d *Declare) amendedBody(c *page.Context, tx page.Tx, s *worksheet.Worksheet) (json.RawMessage, error) {
	stored, err := tx.Filing(d.Customs.Type.Kind, s.ID)
	if err != nil {
		return nil, err
	}
	in := saver{d, tx, c.Call(), s}
	parsed, err := in.correction(d.Customs.Type, &stored, d.complete(c, s).DeclarationBody(s.ShipmentID))
	return parsed.Raw, err
}

// checked returns an amended body with what is wrong with it.
func (d *Declare) checked(body json.RawMessage) func(json.RawMessage) (json.RawMessage, []apierr.Detail, error) {
	return func(json.RawMessage) (json.RawMessage, []apierr.Detail, error) {
		reader := schema.Validator{Schemas: d.Schemas}
		return body, reader.Check(d.Schemas.Of(d.Customs.Type.Body), body), nil
	}
}

// confirmAmendment shows what an amendment changes, and asks for its reason.
func (d *Declare) confirmAmendment(c *page.Context) error {
	v := amendView{ID: c.ID(), Reasons: customs.AmendmentReasons, Code: c.Value("reasonCode"), Reason: c.Value("reason")}
	err := c.View(func(tx page.Tx) error {
		s, err := d.worksheet(c, tx)
		if err != nil {
			return err
		}
		f, err := tx.Filing(d.Customs.Type.Kind, s.ID)
		if err != nil {
			return err
		}
		v.LRN, v.Version = lrnOf(&f), f.Version
		body, err := d.amendedBody(c, tx, s)
		if err != nil {
			return err
		}
		v.Changes, err = d.Customs.PreviewAmendment(tx, nil, s.ID, d.checked(body))
		return err
	})
	if err != nil && c.Problem == nil {
		return c.Redisplay(err, func() error { return c.Show("declare-amend", "Amend "+v.LRN, &v) })
	}
	return c.Show("declare-amend", "Amend "+v.LRN, &v)
}

// requestAmendment sends the amendment, and deletes the worksheet.
func (d *Declare) requestAmendment(c *page.Context) error {
	version, _ := strconv.ParseInt(c.Value("version"), 10, 64)
	var body json.RawMessage
	err := c.View(func(tx page.Tx) error {
		s, err := d.worksheet(c, tx)
		if err != nil {
			return err
		}
		body, err = d.amendedBody(c, tx, s)
		return err
	})
	if err != nil {
		return err
	}
	_, err = d.Customs.RequestAmendment(c.R.Context(), customs.Request{Call: c.Call(), If: filing.IfVersion{version}}, c.ID(), customs.AmendmentInput{
		ReasonCode: c.Value("reasonCode"), Reason: c.Value("reason"), Amended: d.checked(body),
	})
	if e, ok := apierr.As(err); ok && slices.Contains([]apierr.Code{apierr.InvalidRequest, apierr.PreconditionFailed, apierr.RequestInProgress, apierr.DeclarationIncomplete}, e.Code) {
		return c.Redisplay(err, func() error { return d.confirmAmendment(c) })
	}
	if err != nil {
		return err
	}
	err = c.Update(func(tx page.Tx) error { _, err := tx.DropWorksheet(c.Session.UserID, c.ID()); return err })
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "amendment-requested")
}

// hideOtherRecords removes the steps of the client and the shipment, which are not amended.
func (f *stepView) hideOtherRecords() {
	if f.GoodsOnly() {
		f.Steps = slices.DeleteFunc(f.Steps, func(s stepLink) bool { return s.Step == worksheet.StepBasics || s.Step == worksheet.StepJourney })
	}
}
