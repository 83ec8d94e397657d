package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of a delivery. The webhook-… ones are those of Standard Webhooks.
const (
	signatureHeader         = "X-Service-Signature"
	eventHeader             = "X-Service-Event"
	deliveryHeader          = "X-Service-Delivery"
	standardIDHeader        = "Webhook-Id"
	standardTimestampHeader = "Webhook-Timestamp"
	standardSignatureHeader = "Webhook-Signature"
)

// sign puts both signatures of a body on a request, made with every valid secret:
//
//	X-Service-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">
//	webhook-signature:   v1,<base64 HMAC-SHA256 of "<id>.<t>.<body>">
//
// The first takes the whole secret as its key, the second what its base64 stands for.
func sign(h http.Header, secrets []string, eventID string, at time.Time, body []byte) {
	t := strconv.FormatInt(at.Unix(), 10)
	own, standard := []string{"t=" + t}, make([]string, len(secrets))
	for i, secret := range secrets {
		own = append(own, "v1="+hex.EncodeToString(mac([]byte(secret), t+".", body)))
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		standard[i] = "v1," + base64.StdEncoding.EncodeToString(mac(key, eventID+"."+t+".", body))
	}
	h.Set(signatureHeader, strings.Join(own, ","))
	h.Set(standardIDHeader, eventID)
	h.Set(standardTimestampHeader, t)
	h.Set(standardSignatureHeader, strings.Join(standard, " "))
}

func mac(key []byte, before string, body []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(before))
	m.Write(body)
	return m.Sum(nil)
}
