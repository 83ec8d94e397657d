package filing

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// MessageForm is the form of a kind as a message of its authority. From it follow the import of messages of other systems, and
// the message of each record.
type MessageForm[B any] struct {
	Name    string // of the message, such as CC315A
	MaxSize int64  // of an imported message in bytes
	// Read returns the body of the draft that says what a message says. What the service makes, such as the sender, is left
	// out. Any detail means that the document is not well-formed, another message, or one of an unknown version.
	Read func(document []byte) (*B, []apierr.Detail)
	// Handles reports whether a record is sent as a message. Nil for all.
	Handles func(*B) bool
	// Write returns the message of a record.
	Write func(*B, Sending) ([]byte, error)
	// Again changes the body of a copy that is sent in the record's place, such as its number at the authority. Nil for nothing.
	Again func(*B) error
}

// Sending is what a message says besides the body of its record.
type Sending struct {
	Organisation access.Organisation
	Record       *Filing
	Now          time.Time
}

// Messages is a MessageForm without its type parameter.
type Messages struct {
	Name    string
	MaxSize int64

	read    func([]byte) (json.RawMessage, []apierr.Detail, error)
	handles func(json.RawMessage) (bool, error)
	write   func(Sending) ([]byte, error)
	again   func(json.RawMessage) (json.RawMessage, error) // nil for nothing
}

// Read returns the body of the draft that says what a message says.
func (m *Messages) Read(document []byte) (json.RawMessage, error) {
	body, details, err := m.read(document)
	if len(details) > 0 {
		err = apierr.Invalid(details...)
	}
	return body, err
}

// Handles reports whether a record with a body is sent as a message. A body that cannot be read is not.
func (m *Messages) Handles(body json.RawMessage) bool {
	handles, err := m.handles(body)
	return err == nil && handles
}

// Write returns the message of a record; apierr.InvalidState if it is not sent as a message.
func (m *Messages) Write(s Sending) ([]byte, error) {
	handles, err := m.handles(s.Record.Body)
	if err == nil && !handles {
		err = apierr.New(apierr.InvalidState, "This record is not sent as a %s.", m.Name)
	}
	if err != nil {
		return nil, err
	}
	return m.write(s)
}

// messages removes the type parameter; nil for a kind without messages.
func (d Definition[B]) messages() *Messages {
	form := d.Message
	if form == nil {
		return nil
	}
	m := &Messages{
		Name: form.Name, MaxSize: form.MaxSize,
		read: func(document []byte) (json.RawMessage, []apierr.Detail, error) {
			b, details := form.Read(document)
			if len(details) > 0 {
				return nil, details, nil
			}
			body, err := json.Marshal(b)
			if err != nil {
				return nil, nil, fmt.Errorf("filing: imported %s: %w", d.Kind, err)
			}
			return body, nil, nil
		},
		handles: func(body json.RawMessage) (bool, error) {
			b, err := decode[B](body)
			return err == nil && (form.Handles == nil || form.Handles(b)), err
		},
		write: func(s Sending) ([]byte, error) {
			b, err := decode[B](s.Record.Body)
			if err != nil {
				return nil, err
			}
			return form.Write(b, s)
		},
	}
	if form.Again != nil {
		m.again = func(body json.RawMessage) (json.RawMessage, error) {
			b, err := decode[B](body)
			if err == nil {
				err = form.Again(b)
			}
			if err != nil {
				return nil, fmt.Errorf("filing: copy of a %s: %w", d.Kind, err)
			}
			return json.Marshal(b)
		}
	}
	return m
}

// Replacement is embedded in Adds by kinds whose records can be copied.
type Replacement struct {
	Replaces string `json:"replaces,omitempty" doc:"Id of the record that this one was copied from, to be sent in its place" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// replacesMember is the member of Replacement.
const replacesMember = "replaces"

// Copyable reports whether records of the kind can be copied.
func (t *Type) Copyable() bool { return t.HasAdded(replacesMember) }

// Copy returns the input of a draft that replaces a record.
func (t *Type) Copy(f *Filing, at time.Time) (Input, error) {
	body, err := without(f.Body, []string{"uniqueReference"})
	if err != nil {
		return Input{}, err
	}
	if t.Messages != nil && t.Messages.again != nil {
		if body, err = t.Messages.again(body); err != nil {
			return Input{}, err
		}
	}
	in, err := t.Parse(body, at)
	return in.With(Added{replacesMember: f.ID}), err
}
