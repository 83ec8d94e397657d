package declarations

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// submitView is the data of the page that shows what will be sent.
type submitView struct {
	*declarationView
	Mode       string // simulator or hmrc
	Declarant  string
	Procedures string
	Resend     bool // customs may have it already, so it must be sent unchanged
	Findings   []rules.Finding
	Usual      []rules.Finding // values that the service adds
	InfoCount  int             // number of findings for information, which are not shown
	Missing    []missing
	More       int // number of missing values that are not shown
}

// missing is what a declaration lacks before it can be submitted.
type missing struct {
	apierr.Detail
	Name, Fix string
}

// maxMissing is how many missing values are shown at once.
const maxMissing = 100

func (d *Declarations) confirmSubmit(c *page.Context) error { return d.showSubmit(c, nil) }

// showSubmit shows what will be sent and, after an attempt, what the declaration lacks.
func (d *Declarations) showSubmit(c *page.Context, lacks []apierr.Detail) error {
	s, err := d.read(c)
	if err != nil {
		return err
	}
	if _, ok := d.Customs.Type.Lifecycle.Find(s.Filing.Status, lifecycle.Submit); !ok {
		return apierr.New(apierr.InvalidState, "This declaration cannot be submitted while it is %s.", strings.ToLower(string(s.Filing.Status)))
	}
	data := submitView{declarationView: s, Mode: d.Mode, Declarant: s.declarant(), Procedures: s.procedures(), Resend: s.Summary.Colour == "bad" && !s.Allowed.Edit}
	for _, detail := range lacks {
		if len(data.Missing) == maxMissing {
			data.More = len(lacks) - maxMissing
			break
		}
		data.Missing = append(data.Missing, missing{detail, fieldLabel(detail.Field), correctionPath(c.ID(), detail.Field)})
	}
	for _, f := range s.Review.Findings {
		switch {
		case f.Severity == rules.Info:
			data.InfoCount++
		case f.Value != "" && f.Severity != rules.Blocker:
			data.Usual = append(data.Usual, f)
		default:
			data.Findings = append(data.Findings, f)
		}
	}
	return c.Show("declaration-submit", "Submit "+s.Added.LRN, data)
}

// declarant describes on whose behalf the organisation declares.
func (s *declarationView) declarant() string {
	if s.Client.EORI != "" && s.Client.EORI == s.Trader.EORI {
		return "you, for yourself"
	}
	switch s.Trader.Representation {
	case "DIRECT", "direct":
		return "you, on behalf of " + s.Client.Name
	case "INDIRECT", "indirect":
		return "you, in your own name, on behalf of " + s.Client.Name
	}
	return ""
}

// procedures returns the distinct procedure codes of the items.
func (s *declarationView) procedures() string {
	var all []string
	for i := range s.Declaration.Items {
		code := item{Item: s.Declaration.Items[i]}.Procedure()
		switch {
		case code == "" && !s.Declaration.AddsUsual():
			code = "not set"
		case code == "":
			code = map[bool]string{true: "4000", false: "1040"}[s.Imports()]
		}
		if !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (d *Declarations) submit(c *page.Context) error {
	_, err := d.Customs.Submit(c.R.Context(), customs.Request{Call: c.Call()}, c.ID())
	if err != nil {
		return d.showSubmitError(c, err)
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "declaration-submitted")
}

// showSubmitError shows the page again with the error of the submission.
func (d *Declarations) showSubmitError(c *page.Context, err error) error {
	f, ok := apierr.As(err)
	if !ok {
		return err
	}
	switch f.Code {
	case apierr.DeclarationIncomplete:
		c.Status, c.Problem = http.StatusUnprocessableEntity, &page.Problem{Message: "The declaration is not complete. Nothing was sent."}
		return d.showSubmit(c, f.Details)
	case apierr.CustomsUnreachable, apierr.CustomsRejected, apierr.InvalidRequest, apierr.InvalidState, apierr.ApprovalRequired:
	default:
		return err
	}
	text := f.Message
	for _, detail := range f.Details {
		text += fmt.Sprintf(" %s: %s.", fieldLabel(detail.Field), detail.Message)
	}
	c.Problem = &page.Problem{Message: text}
	c.Status = 400
	switch f.Code {
	case apierr.CustomsUnreachable, apierr.CustomsRejected:
		c.Status = 502
	case apierr.ApprovalRequired:
		c.Status = 409
	}
	if err := d.confirmSubmit(c); err != nil {
		return apierr.New(apierr.InvalidState, "%s", text)
	}
	return nil
}
