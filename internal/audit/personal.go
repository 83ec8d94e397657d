package audit

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// PersonalAddress is the name of the address that an event came from, as a personal value.
const PersonalAddress = "ipAddress"

// personalData begins the name of a member of the data, such as data.email.
const personalData = "data."

const (
	// personalMark begins the hash that stands in the event in place of a personal value.
	personalMark = "personal:"
	// personalHashLength is the length of the mark and an HMAC-SHA256 in hex.
	personalHashLength = len(personalMark) + 2*sha256.Size
	// saltSize is in bytes.
	saltSize = 16
)

// Erased is shown in place of a personal value that was erased.
const Erased = "erased"

// Personal is a value in an event that identifies a person. It is stored beside the event;
// the event itself holds a salted hash, so the value can be erased and the chain still holds.
type Personal struct {
	Name  string `json:"name"`            // ipAddress, or data. and the member
	Value string `json:"value,omitempty"` // empty once it was erased
	Salt  string `json:"salt,omitempty"`  // 16 random bytes in hex; empty once the value was erased
}

// DataMember is a personal value in a top-level member of an event's data.
func DataMember(name, value string) Personal {
	return Personal{Name: personalData + name, Value: value}
}

// Erased reports whether the value was erased.
func (p *Personal) Erased() bool { return p.Value == "" && p.Salt == "" }

// hash is the text that the event holds in place of the value.
func (p *Personal) hash() string {
	salt, _ := hex.DecodeString(p.Salt)
	mac := hmac.New(sha256.New, salt)
	_, _ = mac.Write([]byte(p.Value))
	text := append(make([]byte, 0, personalHashLength), personalMark...)
	var sum [sha256.Size]byte
	return string(hex.AppendEncode(text, mac.Sum(sum[:0])))
}

var errNoSalt = errors.New("audit: no random source for the salts of personal values")

// Hide moves the personal values out of the event: the address, and those that e.Personal lists.
// Salt gives random bytes. The error is that the data has no such member, or that there is no salt.
func (e *Event) Hide(salt func(n int) []byte) error {
	all := e.Personal
	if e.IPAddress != "" {
		all = append([]Personal{{Name: PersonalAddress, Value: e.IPAddress}}, all...)
	}
	e.Personal = nil
	for _, p := range all {
		p.Value = strings.ToValidUTF8(p.Value, "\uFFFD")
		if p.Value == "" {
			continue
		}
		if salt == nil {
			return errNoSalt
		}
		p.Salt = hex.EncodeToString(salt(saltSize))
		if !e.replace(p.Name, p.Value, p.hash()) {
			return fmt.Errorf("audit: an event of type %s has no personal value %s", e.Type, p.Name)
		}
		e.Personal = append(e.Personal, p)
	}
	return nil
}

// replace puts another text into a field, and reports whether the field had the former one.
func (e *Event) replace(name, former, text string) bool {
	if name == PersonalAddress {
		held := e.IPAddress == former
		e.IPAddress = text
		return held
	}
	before, after := memberText(name, former), memberText(name, text)
	held := bytes.Contains(e.Data, before)
	e.Data = bytes.ReplaceAll(e.Data, before, after)
	return held
}

// memberText is a member as it stands in compact JSON.
func memberText(name, value string) []byte {
	member, _ := json.Marshal(strings.TrimPrefix(name, personalData))
	quoted, _ := json.Marshal(value)
	return append(append(member, ':'), quoted...)
}

// PersonalHash returns the hash that the event holds in place of a personal value; empty if it holds none.
func (e *Event) PersonalHash(name string) string {
	held := e.IPAddress
	if name != PersonalAddress {
		begin := memberText(name, personalMark)
		begin = begin[:len(begin)-1] // without the closing quote
		_, rest, _ := strings.Cut(string(e.Data), string(begin))
		held = personalMark + rest
		if len(held) <= personalHashLength || held[personalHashLength] != '"' {
			return ""
		}
		held = held[:personalHashLength]
	}
	if len(held) != personalHashLength || !strings.HasPrefix(held, personalMark) ||
		strings.Trim(held[len(personalMark):], "0123456789abcdef") != "" {
		return ""
	}
	return held
}

// Shown is the event as people read it: with its personal values put back, and "erased" in place
// of those that were erased. Its digest is not that of the event.
func (e *Event) Shown() Event {
	shown := *e
	for _, p := range e.Personal {
		value := p.Value
		if p.Erased() {
			value = Erased
		}
		if hash := e.PersonalHash(p.Name); hash != "" {
			shown.replace(p.Name, hash, value)
		}
	}
	return shown
}

// checkPersonal compares the personal values with the hashes that the event holds. It returns how
// many were erased, and in words what is wrong with the first that differs.
func (e *Event) checkPersonal() (erased int64, problem string) {
	listed := map[string]bool{}
	for i := range e.Personal {
		p := &e.Personal[i]
		switch hash := e.PersonalHash(p.Name); {
		case listed[p.Name] || hash == "":
			return erased, fmt.Sprintf("has a stored personal value %q without a hash in the event", p.Name)
		case p.Erased():
			erased++
		case p.hash() != hash:
			return erased, fmt.Sprintf("has a personal value %q that does not match its hash", p.Name)
		}
		listed[p.Name] = true
	}
	if e.PersonalHash(PersonalAddress) != "" && !listed[PersonalAddress] {
		return erased, "has lost its list of personal values"
	}
	return erased, ""
}

// AppendPersonal appends the personal values as they are stored: a JSON array, or nothing if there are none.
func (e *Event) AppendPersonal(dst []byte) []byte {
	if len(e.Personal) == 0 {
		return dst
	}
	for i := range e.Personal {
		p := &e.Personal[i]
		dst = append(append(dst, `[,`[min(i, 1)]), `{"name":`...)
		dst = AppendText(dst, p.Name)
		if !p.Erased() {
			dst = AppendText(append(dst, `,"value":`...), p.Value)
			dst = append(append(append(dst, `,"salt":"`...), p.Salt...), '"')
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// AppendText appends a JSON string as json.Marshal writes it. Nearly all texts are of ASCII characters, and every change has many.
func AppendText(dst []byte, text string) []byte {
	length := len(dst)
	dst = append(dst, '"')
	from := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c > '~' || c == '<' || c == '>' || c == '&':
			quoted, _ := json.Marshal(text)
			return append(dst[:length], quoted...)
		case c == '"' || c == '\\':
			dst, from = append(append(dst, text[from:i]...), '\\'), i
		}
	}
	return append(append(dst, text[from:]...), '"')
}

// ReadPersonal reads the personal values as they are stored. If the text is not what the store writes,
// the event gets a value without a name, so that its verification fails.
func (e *Event) ReadPersonal(text string) {
	if text != "" && json.Unmarshal([]byte(text), &e.Personal) != nil {
		e.Personal = []Personal{{}}
	}
}

// ShownPersonal is what a reader needs to put the hash back in place of a value, and so to verify the event.
type ShownPersonal struct {
	Name string  `json:"name" doc:"The member that holds the value: ipAddress, or data. and a member of data" example:"ipAddress"`
	Hash string  `json:"hash" doc:"What was hashed in place of the value: personal: and the HMAC-SHA256 of the value with the salt as key, hex"`
	Salt *string `json:"salt" doc:"16 random bytes, hex; null if the value was erased"`
}

// ShowPersonal lists the personal values of an event as it was read; nil if there are none.
func (e *Event) ShowPersonal() (all []ShownPersonal) {
	for _, p := range e.Personal {
		shown := ShownPersonal{Name: p.Name, Hash: e.PersonalHash(p.Name)}
		if !p.Erased() {
			shown.Salt = &p.Salt
		}
		all = append(all, shown)
	}
	return all
}

// Erase removes the personal values that fits chooses, with their salts, and returns how many it removed.
func (e *Event) Erase(fits func(*Personal) bool) (n int64) {
	for i := range e.Personal {
		if p := &e.Personal[i]; !p.Erased() && fits(p) {
			p.Value, p.Salt = "", ""
			n++
		}
	}
	return n
}

// IsAddress reports whether the value is the address that the event came from.
func (p *Personal) IsAddress() bool { return p.Name == PersonalAddress }

// HasPlainAddress reports whether an event holds its address itself, because it was recorded before personal values were
// stored separately.
func (e *Event) HasPlainAddress() bool {
	return e.IPAddress != "" && e.PersonalHash(PersonalAddress) == ""
}
