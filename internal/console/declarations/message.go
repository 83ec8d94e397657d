package declarations

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// maxMessageShown is how many bytes of a message a page shows; the download has all of it.
const maxMessageShown = 64 << 10

// messageView is the data of the page of a message to or from customs.
type messageView struct {
	Declaration string // id
	Title, Text string
	At          time.Time
	Bytes       int
	Truncated   bool
	Download    string
}

func (d *Declarations) sent(c *page.Context) error {
	part, err := d.messageID(c)
	if err != nil {
		return err
	}
	var t customs.Transmission
	if err := c.View(func(tx page.Tx) (err error) { t, err = d.Customs.TransmissionOf(tx, c.ID(), part); return err }); err != nil {
		return err
	}
	return showMessage(c, messageView{Title: "Message to customs", At: t.CreatedAt}, []byte(t.Body), "sent-"+t.Reference)
}

func (d *Declarations) received(c *page.Context) error {
	part, err := d.messageID(c)
	if err != nil {
		return err
	}
	m, raw, err := d.Customs.MessageOf(c.R.Context(), c.Session.Org, c.ID(), part)
	if err != nil {
		return err
	}
	return showMessage(c, messageView{Title: "Message from customs", At: m.ReceivedAt}, raw.Body, "received-"+m.ID)
}

// messageID returns the message id in the URL query.
func (d *Declarations) messageID(c *page.Context) (string, error) {
	part := c.R.URL.Query().Get("part")
	if !ident.IsUUID(part) {
		return "", apierr.Missing()
	}
	return part, nil
}

// showMessage sends a message as a download if the query has "download", and otherwise
// shows it on a page.
func showMessage(c *page.Context, m messageView, body []byte, name string) error {
	if c.R.URL.Query().Has("download") {
		return download(c, body, name)
	}
	m.Declaration, m.Bytes = c.ID(), len(body)
	m.Text, m.Truncated = formatMessage(body)
	m.Download = c.R.URL.Path + "?part=" + c.R.URL.Query().Get("part") + "&download"
	return c.Show("declaration-message", m.Title, m)
}

// download sends bytes as a file, with the type text/plain so that browsers do not render them.
func download(c *page.Context, body []byte, name string) error {
	h := c.W.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+strings.Map(filenameRune, name)+`.xml"`)
	http.ServeContent(c.W, c.R, "", time.Time{}, bytes.NewReader(body))
	return nil
}

func filenameRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return '-'
}

// document sends the declaration's XML as it was sent, or as it would be sent now.
func (d *Declarations) document(c *page.Context) error {
	var body string
	if err := c.View(func(tx page.Tx) (err error) { body, err = d.Customs.DocumentOf(tx, c.ID()); return err }); err != nil {
		return err
	}
	return download(c, []byte(body), "declaration-"+c.ID())
}

// formatMessage returns XML with a line for each element, and whether it is truncated. A body
// that is not XML is unchanged.
func formatMessage(body []byte) (text string, cut bool) {
	if len(body) <= maxMessageShown {
		if text, err := indentXML(body); err == nil {
			body = []byte(text)
		}
	}
	if cut = len(body) > maxMessageShown; cut {
		body = body[:maxMessageShown]
	}
	return strings.ToValidUTF8(string(body), "\uFFFD"), cut
}

// indentXML writes each element of an XML document on a line of its own. It does not expand
// entities.
func indentXML(body []byte) (string, error) {
	in, depth, text := xml.NewDecoder(bytes.NewReader(body)), 0, ""
	var out strings.Builder
	line := func(s string) { out.WriteString("\n" + strings.Repeat("  ", depth) + s) }
	opened := false // the line has a start tag only
	for from := int64(0); ; from = in.InputOffset() {
		token, err := in.RawToken()
		if err == io.EOF {
			return strings.TrimLeft(out.String(), "\n"), nil
		}
		if err != nil {
			return "", err
		}
		raw := string(body[from:in.InputOffset()])
		switch token.(type) {
		case xml.StartElement:
			line(raw)
			depth, opened, text = depth+1, true, ""
			if strings.HasSuffix(raw, "/>") {
				continue
			}
		case xml.EndElement:
			depth = max(0, depth-1)
			if opened || raw == "" {
				out.WriteString(text + raw)
			} else {
				line(raw)
			}
			opened, text = false, ""
		case xml.CharData:
			text = strings.TrimSpace(raw)
		default:
			line(strings.TrimSpace(raw))
		}
		if out.Len() > 2*maxMessageShown {
			return out.String(), nil
		}
	}
}
