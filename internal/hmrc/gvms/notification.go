package gvms

import (
	"crypto/hmac"
	"crypto/sha1" // #nosec G505 -- HMRC signs its pushes with HMAC-SHA1
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// SignatureHeader has the signature of a pushed notification.
const SignatureHeader = "X-Hub-Signature"

// MaxNotification is the maximum size of a notification in bytes.
const MaxNotification = 200 << 10

// Notification is a notification of HMRC's push-pull notifications API, as it is pushed and pulled. HMRC delivers at least
// once and in any order, and keeps it for a week at least.
type Notification struct {
	ID      string `json:"notificationId"`
	Box     string `json:"boxId"`
	Type    string `json:"messageContentType"` // application/json for goods movements
	Message string `json:"message"`            // a document inside of a text
	Status  string `json:"status,omitempty"`   // PENDING, ACKNOWLEDGED or FAILED
	Created string `json:"createdDateTime"`    // such as 2020-06-01T10:20:23.160+0000
}

// Pending is the status of a notification that was not acknowledged.
const Pending = "PENDING"

// ReadNotification decodes a pushed notification.
func ReadNotification(body []byte) (n Notification, err error) {
	if len(body) > MaxNotification {
		return n, fmt.Errorf("gvms: the notification has more than %d bytes", MaxNotification)
	}
	if err := json.Unmarshal(body, &n); err != nil {
		return n, fmt.Errorf("gvms: notification: %w", err)
	}
	return n, nil
}

// GMR returns the id of the record that a notification is about. The other members of the message are not used: their names
// are in no public file, and the record says everything.
func (n Notification) GMR() (string, error) {
	var message struct {
		ID string `json:"gmrId"`
	}
	if err := json.Unmarshal([]byte(n.Message), &message); err != nil {
		return "", fmt.Errorf("gvms: message of notification %s: %w", n.ID, err)
	}
	if !IsID(message.ID) {
		return "", fmt.Errorf("gvms: the message of notification %s is about no goods movement record", n.ID)
	}
	return message.ID, nil
}

// Sign returns the signature of a pushed body: lower-case hex of the HMAC-SHA1 of its bytes.
func Sign(secret string, body []byte) string {
	h := hmac.New(sha1.New, []byte(secret))
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// Verify reports in constant time whether a signature is that of a pushed body. Without a secret nothing is valid.
func Verify(secret string, body []byte, signature string) bool {
	return secret != "" && hmac.Equal([]byte(Sign(secret, body)), []byte(signature))
}
