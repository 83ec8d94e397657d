package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Headers of a delivery, in the form of http.CanonicalHeaderKey. The webhook-… ones are those of Standard Webhooks.
const (
	signatureHeader         = "X-Service-Signature"
	eventHeader             = "X-Service-Event"
	deliveryHeader          = "X-Service-Delivery"
	standardIDHeader        = "Webhook-Id"
	standardTimestampHeader = "Webhook-Timestamp"
	standardSignatureHeader = "Webhook-Signature"
)

// signer makes the signatures of one secret. It keeps its hashes, because to prepare one costs more than to sign an event with it.
type signer struct{ own, standard *hashes }

// hashes are prepared hashes of one key.
type hashes struct{ sync.Pool }

func newSigners(secrets []string) []signer {
	all := make([]signer, len(secrets))
	for i, secret := range secrets {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		all[i] = signer{newHashes([]byte(secret)), newHashes(key)}
	}
	return all
}

func newHashes(key []byte) *hashes {
	return &hashes{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// sign puts both signatures of a body on a request, made with every valid secret:
//
//	X-Service-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">
//	webhook-signature:   v1,<base64 HMAC-SHA256 of "<id>.<t>.<body>">
//
// The first takes the whole secret as its key, the second what its base64 stands for.
func sign(h http.Header, signers []signer, eventID string, at time.Time, body []byte) {
	t := strconv.FormatInt(at.Unix(), 10)
	own, standard := []byte("t="+t), []byte(nil)
	var sum [sha256.Size]byte
	for i, s := range signers {
		own = hex.AppendEncode(append(own, ",v1="...), s.own.mac(sum[:0], t+".", body))
		if i > 0 {
			standard = append(standard, ' ')
		}
		standard = base64.StdEncoding.AppendEncode(append(standard, "v1,"...), s.standard.mac(sum[:0], eventID+"."+t+".", body))
	}
	h[signatureHeader] = []string{string(own)}
	h[standardIDHeader] = []string{eventID}
	h[standardTimestampHeader] = []string{t}
	h[standardSignatureHeader] = []string{string(standard)}
}

// mac appends the code of a text and a body.
func (k *hashes) mac(out []byte, before string, body []byte) []byte {
	m := k.Get().(hash.Hash)
	defer k.Put(m)
	m.Reset()
	_, _ = io.WriteString(m, before)
	_, _ = m.Write(body)
	return m.Sum(out)
}
