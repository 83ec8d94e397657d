package attachment

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Media types of attachments.
const (
	PDF  = "application/pdf"
	JPEG = "image/jpeg"
	PNG  = "image/png"
	Text = "text/plain; charset=utf-8"
)

// signatures are the first bytes of each binary type.
var signatures = []struct{ media, begins string }{{PDF, "%PDF-"}, {JPEG, "\xff\xd8\xff"}, {PNG, "\x89PNG\r\n\x1a\n"}}

// Media types of files that are kept with a record, and never sent.
const (
	Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	Message  = "application/vnd.ms-outlook"
	Unknown  = "application/octet-stream"
)

// keptType returns the type of any file by its content.
func keptType(content []byte) string {
	if media, ok := MediaType(content); ok {
		return media
	}
	switch {
	case bytes.HasPrefix(content, []byte("PK\x03\x04")):
		return Workbook
	case bytes.HasPrefix(content, []byte("\xd0\xcf\x11\xe0")):
		return Message
	}
	return Unknown
}

// Extension returns the usual extension of the names of files of a media type.
func Extension(media string) string {
	switch media {
	case PDF:
		return ".pdf"
	case JPEG:
		return ".jpg"
	case PNG:
		return ".png"
	case Text:
		return ".txt"
	case Workbook:
		return ".xlsx"
	case Message:
		return ".msg"
	case Unknown:
		return ".bin"
	}
	return ""
}

// maxName is the longest name of a file in bytes, which every file system can store.
const maxName = 200

// MediaType returns the type of a file by its content; false if it is none that is allowed.
func MediaType(content []byte) (string, bool) {
	for _, s := range signatures {
		if bytes.HasPrefix(content, []byte(s.begins)) {
			return s.media, true
		}
	}
	if isText(content) {
		return Text, true
	}
	return "", false
}

// isText reports whether a file is text in UTF-8 without control characters.
func isText(content []byte) bool {
	if len(content) == 0 || !utf8.Valid(content) {
		return false
	}
	return !bytes.ContainsFunc(content, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f", r) })
}

// Check returns what is wrong with a file, as the end of a sentence about it; empty if it can be stored.
func Check(f File, limit int64) string {
	switch {
	case CleanName(f.Name) == "":
		return "needs a file name"
	case len(f.Content) == 0:
		return "is empty"
	case int64(len(f.Content)) > limit:
		return "is larger than 10 MB"
	}
	if _, ok := MediaType(f.Content); !ok {
		return "must be a PDF, a JPEG, a PNG or text in UTF-8; the content decides, not the name"
	}
	return ""
}

// CleanName returns the last part of a path, in either spelling, without characters that cannot be printed.
func CleanName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "_"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if name == "." || name == ".." || name == "/" {
		return ""
	}
	for len(name) > maxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}
