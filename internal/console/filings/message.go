package filings

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// maxMessage is the size of an upload of a message in bytes, with its form; kinds have lower limits of their own.
const maxMessage = 9 << 20

// messageRoutes are for kinds whose records are messages of an authority.
func (a *Filings) messageRoutes() []page.Route {
	const base = "/hubs/{hub}/{many}"
	return []page.Route{
		page.Get(base+"/import", page.ForMember, a.importPage),
		page.Post(base+"/import", page.ForMember, a.importMessage).WithMaxUpload(maxMessage),
		page.Get(base+"/{id}/message.xml", page.ForViewer, a.message),
		page.Post(base+"/{id}/copy", page.ForMember, a.copy),
	}
}

// messageKind returns the kind of the page, which has messages. If its Hub is disabled, it shows that and returns disabled.
func (a *Filings) messageKind(c *page.Context) (k *kind, disabled bool, err error) {
	k, disabled, err = a.enabledKind(c)
	if err == nil && k.Messages == nil {
		err = apierr.Missing()
	}
	return k, disabled, err
}

func (a *Filings) importPage(c *page.Context) error {
	k, disabled, err := a.messageKind(c)
	if err != nil || disabled {
		return err
	}
	return c.Show("filings-import", "Import a "+k.Singular, k)
}

// importMessage makes a draft of a message.
func (a *Filings) importMessage(c *page.Context) error {
	k, disabled, err := a.messageKind(c)
	if err != nil || disabled {
		return err
	}
	c.Label = func(field string) string {
		if field == "file" {
			return "The file"
		}
		return "The file: " + field
	}
	f, err := a.createImported(c, k)
	if err != nil {
		return c.Redisplay(err, func() error { return a.importPage(c) })
	}
	return c.RedirectWithNotice(k.Base+"/"+f.ID, "filing-imported")
}

func (a *Filings) createImported(c *page.Context, k *kind) (f filing.Filing, err error) {
	switch {
	case c.File == nil:
		return f, apierr.Invalid(apierr.Detail{Field: "file", Message: "is missing. Select a file"})
	case int64(len(c.File.Content)) > k.Messages.MaxSize:
		return f, apierr.Invalid(apierr.Detail{Field: "file", Message: "is larger than a message may be"})
	}
	body, err := k.Messages.Read(c.File.Content)
	if err != nil {
		return f, err
	}
	schemas := schema.NewSchemas()
	if details := (schema.Validator{Schemas: schemas}).Check(schemas.Of(k.Type.Body), body); details != nil {
		return f, apierr.Invalid(details...)
	}
	in, err := k.Prepare(c.R.Context(), c.Session.Org, body, c.Now())
	if err != nil {
		return f, err
	}
	err = c.Update(func(tx page.Tx) (err error) { f, err = a.Service.Create(tx, c.Call(), k.Type, in); return err })
	return f, err
}

// message sends the message of a record as a file.
func (a *Filings) message(c *page.Context) error {
	k, err := a.kind(c)
	if err == nil && k.Messages == nil {
		err = apierr.Missing()
	}
	if err != nil {
		return err
	}
	var document []byte
	err = c.View(func(tx page.Tx) error {
		document, err = exchange.Document(tx, k.Type, c.ID())
		return err
	})
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/xml")
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+k.Messages.Name+"-"+c.ID()+`.xml"`)
	c.W.WriteHeader(http.StatusOK)
	_, err = c.W.Write(document)
	return err
}

// messageName returns the name of the message that a record is sent as; empty for none.
func (k *kind) messageName(f *filing.Filing) string {
	if k.Messages == nil || !k.Messages.Handles(f.Body) {
		return ""
	}
	return k.Messages.Name
}

// copy makes a draft that replaces the record.
func (a *Filings) copy(c *page.Context) error {
	k, err := a.kind(c)
	if err == nil && !k.Copyable() {
		err = apierr.Missing()
	}
	if err != nil {
		return err
	}
	var made filing.Filing
	err = c.Update(func(tx page.Tx) error {
		f, err := tx.Filing(k.Kind, c.ID())
		if err != nil {
			return err
		}
		in, err := k.Copy(&f, tx.Now())
		if err != nil {
			return err
		}
		made, err = a.Service.Create(tx, c.Call(), k.Type, in)
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(k.Base+"/"+made.ID+"/edit", "filing-copied")
}
