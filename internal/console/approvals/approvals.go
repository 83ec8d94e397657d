// Package approvals is the area in which a second person approves what is submitted: the records that wait, and a page that shows
// exactly what would be sent of one.
package approvals

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed pages
var pages embed.FS

// Approvals is the area, with the services that it uses.
type Approvals struct {
	Filings   *filing.Service
	Describer *wording.Describer
	Types     []*filing.Type // of all kinds

	kinds map[string]*filing.Type      // that are submitted
	forms func() map[string]*form.Form // of their bodies; made at the first use
}

// Area returns the area's routes, pages and texts.
func (a *Approvals) Area() page.Area {
	const one = page.ApprovalPath + "/{kind}/{id}"
	a.kinds, a.forms = map[string]*filing.Type{}, sync.OnceValue(a.makeForms)
	routes := []page.Route{
		page.Get(page.ApprovalPath, page.ForViewer, a.list),
		page.Get(one, page.ForViewer, a.show),
		page.Get(one+"/document", page.ForViewer, a.document),
		page.Post(one+"/ask", page.ForMember, a.ask),
		page.Post(one+"/approve", page.ForMember, a.approve),
		page.Post(one+"/withdraw", page.ForMember, a.withdraw),
		page.Post("/api/declarations/{id}"+apiSuffix, page.ForMember, a.approveByAPI).AsAPI(),
		page.Post("/api/{hub}/{many}/{id}"+apiSuffix, page.ForMember, a.approveByAPI).AsAPI(),
	}
	for _, t := range a.Types {
		if len(t.Lifecycle.From(lifecycle.Approve)) == 0 {
			continue
		}
		a.kinds[t.Kind] = t
	}
	return page.Area{
		Name: "approvals", Pages: pages, Partials: []fs.FS{form.Parts()}, Routes: routes,
		Navigation: []page.NavigationEntry{{Path: page.ApprovalPath, Name: "Approvals", Approval: true}},
		Notices: map[string]string{
			"approval-asked":     "You have asked for approval. It waits on the page Approvals.",
			"approval-given":     "You have approved it. Another person can submit it now.",
			"approval-withdrawn": "The approval is taken back.",
		},
	}
}

// makeForms returns the forms of the bodies of all kinds that are submitted.
func (a *Approvals) makeForms() map[string]*form.Form {
	schemas, all := schema.NewSchemas(), map[string]*form.Form{}
	for name, t := range a.kinds {
		all[name] = form.New(schemas, t.Body, t.ChoiceTexts)
	}
	return all
}

// apiSuffix ends the path of the API operation.
const apiSuffix = "/approval"

// kind returns the kind in the path. For a change its Hub must be enabled.
func (a *Approvals) kind(c *page.Context) (*filing.Type, error) {
	k := a.kinds[c.R.PathValue("kind")]
	if k == nil {
		return nil, apierr.Missing()
	}
	return k, enabled(c, k)
}

// enabled returns an error if a change is made to a record of a Hub that is not enabled.
func enabled(c *page.Context, k *filing.Type) error {
	if c.R.Method == http.MethodGet || k.Hub == access.FoundationalHub || c.Session.Hubs.Has(k.Hub) {
		return nil
	}
	return apierr.New(apierr.HubNotEnabled, "The Hub of this %s is not enabled. An OWNER can enable it under Settings, Hubs.", k.Singular)
}

// act runs an action about the approval of the record in the path, and shows its page.
func (a *Approvals) act(c *page.Context, notice string, do func(page.Tx, *filing.Type) error) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	if err := c.Update(func(tx page.Tx) error { return do(tx, k) }); err != nil {
		return c.Redisplay(err, func() error { return a.show(c) })
	}
	return c.RedirectWithNotice(page.ApprovalOf(k.Kind, c.ID()), notice)
}

func (a *Approvals) ask(c *page.Context) error {
	return a.act(c, "approval-asked", func(tx page.Tx, k *filing.Type) error {
		return a.Filings.AskApproval(tx, c.Call(), k, c.ID(), "", nil)
	})
}

// approve approves what the page has shown.
func (a *Approvals) approve(c *page.Context) error {
	return a.act(c, "approval-given", func(tx page.Tx, k *filing.Type) error {
		seen := c.Value("sha256")
		if seen == "" {
			return apierr.Invalid(apierr.Detail{Field: "sha256", Message: "is missing. Open the page again"})
		}
		return a.Filings.Approve(tx, c.Call(), k, c.ID(), seen, nil)
	})
}

func (a *Approvals) withdraw(c *page.Context) error {
	return a.act(c, "approval-withdrawn", func(tx page.Tx, k *filing.Type) error {
		return a.Filings.WithdrawApproval(tx, c.Call(), k, c.ID(), nil)
	})
}

// document sends what would be submitted, byte for byte.
func (a *Approvals) document(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	var shown filing.RecordApproval
	err = c.View(func(tx page.Tx) (err error) { shown, _, err = a.Filings.ApprovalOf(tx, k, c.ID()); return err })
	if err != nil {
		return err
	}
	if shown.Document == nil {
		return apierr.New(apierr.InvalidState, "%s", *shown.Problem)
	}
	c.W.Header().Set("Content-Type", shown.ContentType)
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+k.Singular+"-"+c.ID()+extensions[shown.ContentType]+`"`)
	_, _ = c.W.Write([]byte(*shown.Document)) // fails only if the client has gone
	return nil
}

var extensions = map[string]string{"application/xml": ".xml", "application/json": ".json"}

// input is the body of the API operation.
type input struct {
	SHA256 string `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$"`
}

var schemas = schema.NewSchemas()

// approveByAPI is the API operation, with a console session.
func (a *Approvals) approveByAPI(c *page.Context) error {
	k := a.kindAt(strings.TrimSuffix(c.R.URL.Path, "/"+c.ID()+apiSuffix))
	if k == nil {
		return apierr.Missing()
	}
	if err := enabled(c, k); err != nil {
		return err
	}
	in, err := readInput(c)
	if err != nil {
		return err
	}
	required, err := c.IfMatch()
	if err != nil {
		return err
	}
	var shown filing.RecordApproval
	err = c.Update(func(tx page.Tx) error {
		if err := a.Filings.Approve(tx, c.Call(), k, c.ID(), in.SHA256, required); err != nil {
			return err
		}
		shown, _, err = a.Filings.ApprovalOf(tx, k, c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return c.Answer(http.StatusOK, map[string]filing.RecordApproval{"approval": shown})
}

// kindAt returns the kind with a path in the API; nil for none.
func (a *Approvals) kindAt(path string) *filing.Type {
	for _, k := range a.kinds {
		if k.Path == path {
			return k
		}
	}
	return nil
}

// readInput reads the body, which may be empty.
func readInput(c *page.Context) (in input, err error) {
	body, err := c.ReadBody()
	if err != nil || len(body) == 0 {
		return in, err
	}
	if details := (schema.Validator{Schemas: schemas}).Check(schemas.Of(reflect.TypeFor[input]()), body); details != nil {
		return in, apierr.Invalid(details...)
	}
	return in, json.Unmarshal(body, &in)
}
