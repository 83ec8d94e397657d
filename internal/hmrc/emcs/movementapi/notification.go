package movementapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// Notification says that a movement has a new message. It does not contain the message.
type Notification struct {
	Movement  string    `json:"movementId"`
	MessageID string    `json:"messageId"`
	Kind      emcs.Kind `json:"messageType"`
	ERN       string    `json:"ern"` // recipient
	Consignor string    `json:"consignor"`
	Consignee string    `json:"consignee"` // often empty
	ARC       string    `json:"arc"`       // empty before acceptance
	URI       string    `json:"messageUri"`
}

// ReadNotification reads the text inside a push notification. An address of another movement or message than the notification names is an error; HMRC writes it with and without
// the path of the API in front.
func ReadNotification(text []byte) (Notification, error) {
	var n Notification
	if err := json.Unmarshal(text, &n); err != nil {
		return Notification{}, fmt.Errorf("movementapi: reading a notification: %w", err)
	}
	if !movementID.MatchString(n.Movement) || n.MessageID == "" || len(n.MessageID) > maxIdentifier {
		return Notification{}, fmt.Errorf("movementapi: a notification has the movement %.50q and the message %.50q", n.Movement, n.MessageID)
	}
	n.URI = strings.TrimPrefix(n.URI, apiPath)
	if want := "/movements/" + n.Movement + "/messages/" + n.MessageID; n.URI != "" && n.URI != want {
		return Notification{}, fmt.Errorf("movementapi: a notification has the address %.200q, not %q", n.URI, want)
	}
	return n, nil
}
