package declare

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

const importPath = "/declarations/import"

// Limits of the import form.
const (
	maxCarried    = 64 << 10  // size of a document that the preview sends with the form, so that it need not be selected again
	maxImportForm = 256 << 10 // size of the form besides its file
	itemsPreview  = 20        // items in the preview
)

// importView is the data of the page on which a declaration in XML is imported.
type importView struct {
	MaxMB   int
	Fill    string
	Fills   []fields.Value
	Preview *importPreview // nil before a preview
}

// importPreview is what an import would make.
type importPreview struct {
	Declaration customs.Declaration
	Added       customs.DeclarationAdds
	Client      customs.Client
	Items       []customs.Item // the first
	FileName    string
	Document    string // the document in Base64; empty if it is too large to be sent with the form
}

// MoreItems returns the number of items that are not shown.
func (p *importPreview) MoreItems() int { return len(p.Declaration.Items) - len(p.Items) }

// Number returns the number of the item with an index.
func (p *importPreview) Number(index int) int { return index + 1 }

func (d *Declare) importPage(c *page.Context) error { return d.showImport(c, nil) }

func (d *Declare) showImport(c *page.Context, preview *importPreview) error {
	fill := c.Value("fill")
	if fill == "" {
		fill = "NONE"
	}
	return c.Show("declare-import", "Import a declaration", importView{MaxMB: importer.MaxSize >> 20, Fill: fill, Fills: fields.Lists["fills"], Preview: preview})
}

// errPreview ends the transaction of a preview, so that nothing is stored.
var errPreview = errors.New("declare: preview")

// importFile imports the document of the form, or shows what the import would make.
func (d *Declare) importFile(c *page.Context) error {
	c.Label = labelOfImport
	document, name, err := importedDocument(c)
	var source *importer.Source
	if err == nil {
		source, err = importer.Read(document, name)
	}
	if err == nil && !knownFill(c.Value("fill")) {
		err = apierr.Invalid(apierr.Detail{Field: "fill", Message: "must be one of the choices"})
	}
	var f filing.Filing
	var preview *importPreview
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) {
			if f, err = d.Importer.Import(tx, c.Call(), source, importer.Options{Fill: c.Value("fill"), Rehearsal: c.Value("go") != "import"}); err != nil {
				return err
			}
			if c.Value("go") == "import" {
				return nil
			}
			if preview, err = d.previewOf(tx, &f); err != nil {
				return err
			}
			return errPreview
		})
	}
	switch {
	case errors.Is(err, errPreview):
		preview.FileName = name
		if len(document) <= maxCarried {
			preview.Document = base64.StdEncoding.EncodeToString(document)
		}
		return d.showImport(c, preview)
	case err != nil:
		return c.Redisplay(err, func() error { return d.showImport(c, nil) })
	}
	return c.RedirectWithNotice("/declarations/"+f.ID, "declaration-imported")
}

// importedDocument returns the uploaded document, or the one that a preview has sent with the form.
func importedDocument(c *page.Context) (document []byte, name string, err error) {
	if c.File != nil && len(c.File.Content) > 0 {
		return c.File.Content, c.File.Name, nil
	}
	carried := c.Value("document")
	if carried == "" {
		return nil, "", apierr.Invalid(apierr.Detail{Field: "file", Message: "must be selected"})
	}
	if document, err = base64.StdEncoding.DecodeString(carried); err != nil {
		return nil, "", apierr.Invalid(apierr.Detail{Field: "file", Message: "must be selected again"})
	}
	return document, c.Value("fileName"), nil
}

func knownFill(fill string) bool {
	for _, v := range fields.Lists["fills"] {
		if v.Code == fill {
			return true
		}
	}
	return fill == ""
}

// labelOfImport returns the label of an error: of the form, or the path of an element.
func labelOfImport(field string) string {
	switch field {
	case "file", "body":
		return "The document"
	case "fill":
		return "What the service may add"
	case "clientId":
		return "The client"
	}
	return fmt.Sprintf("The document: %s", field)
}

// previewOf reads what an import has made, in its transaction.
func (d *Declare) previewOf(tx page.Tx, f *filing.Filing) (*importPreview, error) {
	p := &importPreview{}
	if err := json.Unmarshal(f.Body, &p.Declaration); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(f.Added, &p.Added); err != nil {
		return nil, err
	}
	shipment, err := tx.Filing(d.Shipments.Kind, p.Declaration.ShipmentID)
	if err != nil {
		return nil, err
	}
	id, err := clientOf(&shipment)
	if err != nil {
		return nil, err
	}
	client, err := tx.Filing(d.Clients.Kind, id)
	if err != nil {
		return nil, err
	}
	p.Items = p.Declaration.Items[:min(len(p.Declaration.Items), itemsPreview)]
	return p, json.Unmarshal(client.Body, &p.Client)
}
