package email

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/richardlehane/mscfb"
)

// compound is the beginning of a compound file (MS-CFB).
const compound = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Names of a message's streams (MS-OXMSG 2.1 and 2.2.2; MS-OXPROPS). The type of text is 001F in UTF-16 and 001E otherwise.
const (
	attachStorage = "__attach_version1.0_#"
	dataStream    = "__substg1.0_37010102" // PidTagAttachDataBinary
	longName      = "__substg1.0_3707"     // PidTagAttachLongFilename
	shortName     = "__substg1.0_3704"     // PidTagAttachFilename
	contentID     = "__substg1.0_3712"     // PidTagAttachContentId
	wideText      = "001F"
	maxName       = 1 << 10 // bytes
)

// attached is an attachment of a message while its streams are read.
type attached struct {
	name, short string
	inText      bool // the text of the message refers to it
	content     []byte
	tooLarge    bool
}

// readOutlook returns the attached files of a message of Outlook. Messages inside it are left out.
func readOutlook(content []byte) (m Message, err error) {
	defer func() {
		if recover() != nil {
			m, err = Message{}, ErrUnreadable
		}
	}()
	doc, err := mscfb.New(bytes.NewReader(content))
	if err != nil {
		return m, ErrUnreadable
	}
	all, order := map[string]*attached{}, []string{}
	for n := 0; n < maxParts*16; n++ {
		entry, err := doc.Next()
		if err != nil {
			break
		}
		if len(entry.Path) != 1 || !strings.HasPrefix(entry.Path[0], attachStorage) {
			continue
		}
		at := entry.Path[0]
		if all[at] == nil {
			all[at], order = &attached{}, append(order, at)
		}
		all[at].read(entry)
	}
	for _, at := range order {
		m.add(all[at])
	}
	return m, nil
}

// read reads a stream of an attachment.
func (a *attached) read(entry *mscfb.File) {
	switch stream := entry.Name; {
	case stream == dataStream && entry.Size > maxFile:
		a.tooLarge = true
	case stream == dataStream:
		a.content, _ = io.ReadAll(io.LimitReader(entry, maxFile))
	case strings.HasPrefix(stream, longName):
		a.name = text(entry)
	case strings.HasPrefix(stream, shortName):
		a.short = text(entry)
	case strings.HasPrefix(stream, contentID):
		a.inText = true
	}
}

// text reads a text.
func text(entry *mscfb.File) string {
	raw, _ := io.ReadAll(io.LimitReader(entry, maxName))
	if !strings.HasSuffix(entry.Name, wideText) {
		return strings.TrimRight(string(raw), "\x00")
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

// add adds an attachment, unless it is a picture in the text.
func (m *Message) add(a *attached) {
	if a.name == "" {
		a.name = a.short
	}
	picture := a.inText && (bytes.HasPrefix(a.content, []byte("\x89PNG")) || bytes.HasPrefix(a.content, []byte("\xff\xd8\xff")) || bytes.HasPrefix(a.content, []byte("GIF8")))
	switch {
	case a.tooLarge, len(a.content) > 0 && !picture && len(m.Files) == MaxFiles:
		m.More = true
	case len(a.content) > 0 && !picture:
		m.Files = append(m.Files, File{a.name, a.content})
	}
}
