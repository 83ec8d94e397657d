// Package pushpull has the notifications of HMRC's Push Pull Notifications API, which several of its APIs use: one box for an application and an
// API, from which HMRC pushes to an address, or an application pulls. Source: HMRC push-pull-notifications-api 1.0.
package pushpull

import (
	"crypto/hmac"
	"crypto/sha1" // #nosec G505 -- HMRC signs its pushes with HMAC-SHA1
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
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
	Type    string `json:"messageContentType"` // application/json or application/xml
	Message string `json:"message"`            // a document inside of a text
	Status  string `json:"status,omitempty"`   // PENDING, ACKNOWLEDGED or FAILED
	Created string `json:"createdDateTime"`    // such as 2020-06-01T10:20:23.160+0000
}

// Pending is the status of a notification that was not acknowledged.
const Pending = "PENDING"

// ReadNotification decodes a pushed notification.
func ReadNotification(body []byte) (n Notification, err error) {
	if len(body) > MaxNotification {
		return n, fmt.Errorf("pushpull: the notification has more than %d bytes", MaxNotification)
	}
	if err := json.Unmarshal(body, &n); err != nil {
		return n, fmt.Errorf("pushpull: notification: %w", err)
	}
	return n, nil
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

// ChallengeParameter is the query parameter with which HMRC asks whether an address is the application's, when it is registered.
const ChallengeParameter = "challenge"

// challengeForm is the form of a challenge. HMRC sends a UUID.
var challengeForm = lazyregexp.New(`^[0-9A-Za-z-]{1,128}$`)

// AnswerTo returns the answer to a challenge; false if it is none.
func AnswerTo(challenge string) ([]byte, bool) {
	if !challengeForm.MatchString(challenge) {
		return nil, false
	}
	body, err := json.Marshal(map[string]string{ChallengeParameter: challenge})
	return body, err == nil
}
