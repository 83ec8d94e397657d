package tidewaiter

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webhookTolerance is how far the time of a delivery may be from the receiver's clock.
const webhookTolerance = 5 * time.Minute

// Event is the body of a webhook. Object is the record as the API shows it.
type Event struct {
	ID             string    `json:"id"`
	Type           string    `json:"type"`
	CreatedAt      time.Time `json:"createdAt"`
	OrganisationID string    `json:"organisationId"`
	Data           struct {
		Object         json.RawMessage `json:"object"`
		PreviousStatus *string         `json:"previousStatus"`
	} `json:"data"`
}

// VerifyWebhook reports whether the secret signed a delivery, as Standard Webhooks says, at most five minutes ago. The
// body is what arrived, before it is parsed.
func VerifyWebhook(secret string, headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(id + "." + timestamp + "."))
	sum.Write(body)
	wanted := "v1," + base64.StdEncoding.EncodeToString(sum.Sum(nil))
	for _, signature := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(wanted), []byte(signature)) {
			return true
		}
	}
	return false
}
