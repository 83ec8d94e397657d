package gvms

import (
	"encoding/json"
	"fmt"
)

// NotifiedID returns the id of the record that the message of a notification is about. The other members of the message are not used: their names
// are in no public file, and the record says everything.
func NotifiedID(text []byte) (string, error) {
	var message struct {
		ID string `json:"gmrId"`
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return "", fmt.Errorf("gvms: message of a notification: %w", err)
	}
	if !IsID(message.ID) {
		return "", fmt.Errorf("gvms: the message of a notification is about no goods movement record")
	}
	return message.ID, nil
}
