package cdssim

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	tokenLife    = 4 * time.Hour
	maxTokenForm = 64 << 10
	scope        = "write:customs-declaration"
)

// tokens issues and checks bearer tokens. A token contains its expiry and a proof of origin, so none is stored. The seed is
// enough to forge one: they only test the client.
type tokens struct {
	secret                 [sha256.Size]byte
	clientID, clientSecret string
	now                    func() time.Time
}

func newTokens(o Options) tokens {
	return tokens{
		secret:   sha256.Sum256(fmt.Appendf(nil, "%d token", o.Seed)),
		clientID: o.ClientID, clientSecret: o.ClientSecret, now: o.Now,
	}
}

// issue is the OAuth grant client_credentials (RFC 6749, section 4.4).
func (t *tokens) issue(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxTokenForm)
	if err := r.ParseForm(); err != nil {
		answerJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_request"})
		return
	}
	if r.PostForm.Get("grant_type") != "client_credentials" {
		answerJSON(w, http.StatusBadRequest, map[string]any{"error": "unsupported_grant_type"})
		return
	}
	if !t.isClient(r) {
		answerJSON(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client", "error_description": "invalid client id or secret"})
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{
		"access_token": t.mint(), "token_type": "bearer", "expires_in": int(tokenLife.Seconds()), "scope": scope,
	})
}

// isClient checks the client's credentials, from the header or from the form.
func (t *tokens) isClient(r *http.Request) bool {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	}
	if t.clientID == "" {
		return id != ""
	}
	return subtle.ConstantTimeCompare([]byte(id+"\n"+secret), []byte(t.clientID+"\n"+t.clientSecret)) == 1
}

func (t *tokens) mint() string {
	end := strconv.FormatInt(t.now().Add(tokenLife).Unix(), 16)
	return end + "." + t.proof(end)
}

// isValid reports whether a call has a token that has not expired.
func (t *tokens) isValid(header http.Header) bool {
	scheme, token, _ := strings.Cut(header.Get("Authorization"), " ")
	end, proof, _ := strings.Cut(token, ".")
	if !strings.EqualFold(scheme, "Bearer") || !hmac.Equal([]byte(proof), []byte(t.proof(end))) {
		return false
	}
	seconds, err := strconv.ParseInt(end, 16, 64)
	return err == nil && t.now().Before(time.Unix(seconds, 0))
}

func (t *tokens) proof(end string) string {
	mac := hmac.New(sha256.New, t.secret[:])
	mac.Write([]byte(end))
	return hex.EncodeToString(mac.Sum(nil))
}

func answerJSON(w http.ResponseWriter, status int, value map[string]any) {
	body, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
