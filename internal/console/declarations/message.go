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

// maxReadable is how much of a message a page shows; all of it can be downloaded.
const maxReadable = 64 << 10

// message is what was sent or received, made readable.
type message struct {
	Declaration string // id
	Title, Text string
	At          time.Time
	Bytes       int
	Cut         bool
	Download    string
}

func (d *Declarations) sent(c *page.Context) error {
	part, err := d.part(c)
	if err != nil {
		return err
	}
	var t customs.Transmission
	if err := c.View(func(tx page.Tx) (err error) { t, err = d.Customs.TransmissionOf(tx, c.ID(), part); return err }); err != nil {
		return err
	}
	return show(c, message{Title: "What was sent to customs", At: t.CreatedAt}, []byte(t.Body), "sent-"+t.Reference)
}

func (d *Declarations) received(c *page.Context) error {
	part, err := d.part(c)
	if err != nil {
		return err
	}
	m, raw, err := d.Customs.MessageOf(c.R.Context(), c.Session.Org, c.ID(), part)
	if err != nil {
		return err
	}
	return show(c, message{Title: "What customs sent", At: m.ReceivedAt}, raw.Body, "received-"+m.ID)
}

// part is the message that the address names; a declaration that is not there has none.
func (d *Declarations) part(c *page.Context) (string, error) {
	part := c.R.URL.Query().Get("part")
	if !ident.IsUUID(part) {
		return "", apierr.Missing()
	}
	return part, nil
}

// show answers with the bytes themselves where the address asks for them, or else with
// a page that has them as text.
func show(c *page.Context, m message, body []byte, name string) error {
	if c.R.URL.Query().Has("download") {
		return download(c, body, name)
	}
	m.Declaration, m.Bytes = c.ID(), len(body)
	m.Text, m.Cut = readable(body)
	m.Download = c.R.URL.Path + "?part=" + c.R.URL.Query().Get("part") + "&download"
	return c.Show("declaration-message", m.Title, m)
}

// download gives bytes to be saved: as text, so that no browser takes them for a page.
func download(c *page.Context, body []byte, name string) error {
	h := c.W.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+strings.Map(plainLetter, name)+`.xml"`)
	http.ServeContent(c.W, c.R, "", time.Time{}, bytes.NewReader(body))
	return nil
}

func plainLetter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return '-'
}

// document is the declaration's XML as it would be, or was, sent.
func (d *Declarations) document(c *page.Context) error {
	var body string
	if err := c.View(func(tx page.Tx) (err error) { body, err = d.Customs.DocumentOf(tx, c.ID()); return err }); err != nil {
		return err
	}
	return download(c, []byte(body), "declaration-"+c.ID())
}

// readable is XML with a line for each element, and whether it is cut. What is no XML
// stays as it is.
func readable(body []byte) (text string, cut bool) {
	if len(body) <= maxReadable {
		if text, err := indented(body); err == nil {
			body = []byte(text)
		}
	}
	if cut = len(body) > maxReadable; cut {
		body = body[:maxReadable]
	}
	return strings.ToValidUTF8(string(body), "\uFFFD"), cut
}

// indented writes the tokens of XML anew, each element on a line of its own. It knows
// no entities but XML's own, so that nothing in a message unfolds.
func indented(body []byte) (string, error) {
	in, depth, text := xml.NewDecoder(bytes.NewReader(body)), 0, ""
	var out strings.Builder
	line := func(s string) { out.WriteString("\n" + strings.Repeat("  ", depth) + s) }
	opened := false // the line has a start and nothing else
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
		if out.Len() > 2*maxReadable {
			return out.String(), nil
		}
	}
}
