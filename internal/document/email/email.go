// Package email takes the attached files out of stored e-mails: messages in the format of
// RFC 5322 (.eml) and of Microsoft Outlook (.msg, MS-OXMSG). The files are untrusted: the number
// of parts, their depth and their size are limited, and nothing in them is followed or run.
package email

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"path"
	"strings"
)

// Limits of one message.
const (
	// MaxFiles is the number of files that are taken from a message.
	MaxFiles  = 20
	maxDepth  = 6
	maxParts  = 200
	maxFile   = 20 << 20 // bytes
	maxHeader = 64 << 10 // bytes before the first empty line
)

// ErrUnreadable says that a message is damaged.
var ErrUnreadable = errors.New("is a damaged e-mail")

// File is an attached file.
type File struct {
	Name    string
	Content []byte
}

// Message is the attached files of a message. More says that there were others, which were left out because of a limit.
type Message struct {
	Files []File
	More  bool
}

// Is reports whether a file is an e-mail, by its name and content.
func Is(name string, content []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".eml":
		return true
	case ".msg":
		return bytes.HasPrefix(content, []byte(compound))
	}
	return false
}

// Read returns the attached files of an e-mail.
func Read(content []byte) (m Message, err error) {
	if bytes.HasPrefix(content, []byte(compound)) {
		return readOutlook(content)
	}
	head, _, _ := bytes.Cut(content[:min(len(content), maxHeader)], []byte("\n\n"))
	if len(head) == maxHeader && !bytes.Contains(head, []byte("\r\n\r\n")) {
		return m, ErrUnreadable
	}
	message, err := mail.ReadMessage(bytes.NewReader(content))
	if err != nil {
		return m, ErrUnreadable
	}
	w := walk{}
	w.part(header(message.Header), message.Body, 0)
	return w.message, nil
}

// walk is the walk through the parts of a message.
type walk struct {
	message Message
	parts   int
}

// header is the header of a message or a part, by canonical names.
type header map[string][]string

func (h header) get(name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// part takes the files out of a part. Damaged parts are skipped.
func (w *walk) part(h header, body io.Reader, depth int) {
	if w.parts++; w.parts > maxParts || depth > maxDepth {
		w.message.More = true
		return
	}
	media, params, err := mime.ParseMediaType(h.get("Content-Type"))
	if err != nil && media == "" {
		media = "text/plain"
	}
	body = decoded(h.get("Content-Transfer-Encoding"), body)
	switch {
	case strings.HasPrefix(media, "multipart/"):
		w.multipart(multipart.NewReader(body, params["boundary"]), depth)
	case media == "message/rfc822":
		if inner, err := mail.ReadMessage(body); err == nil {
			w.part(header(inner.Header), inner.Body, depth+1)
		}
	default:
		if name := fileName(h, params); name != "" && !embedded(h, media) {
			w.file(name, body)
		}
	}
}

// multipart walks through the parts of a multipart body.
func (w *walk) multipart(r *multipart.Reader, depth int) {
	for {
		p, err := r.NextRawPart()
		if err != nil {
			return
		}
		w.part(header(p.Header), p, depth+1)
		if w.parts > maxParts {
			return
		}
	}
}

func (w *walk) file(name string, body io.Reader) {
	if len(w.message.Files) == MaxFiles {
		w.message.More = true
		return
	}
	content, err := io.ReadAll(io.LimitReader(body, maxFile+1))
	if len(content) == 0 || err != nil {
		return
	}
	if len(content) > maxFile {
		w.message.More = true
		return
	}
	w.message.Files = append(w.message.Files, File{name, content})
}

// decoded returns a body without its transfer encoding.
func decoded(encoding string, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// fileName returns the name of the file in a part; empty if the part is a text of the message.
func fileName(h header, params map[string]string) string {
	_, disposition, _ := mime.ParseMediaType(h.get("Content-Disposition"))
	name := disposition["filename"]
	if name == "" {
		name = params["name"]
	}
	if plain, err := (&mime.WordDecoder{}).DecodeHeader(name); err == nil {
		name = plain
	}
	return name
}

// embedded reports whether a part is a picture in the text of the message, such as a logo.
func embedded(h header, media string) bool {
	disposition, _, _ := mime.ParseMediaType(h.get("Content-Disposition"))
	return strings.HasPrefix(media, "image/") && disposition != "attachment" && h.get("Content-Id") != ""
}
