package mtdtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

const (
	tokenLife    = 4 * time.Hour
	maxTokenForm = 64 << 10
)

// authorise gives consent at once, where a person would sign in at HMRC, and redirects back with a code (RFC 6749,
// section 4.1).
func (h *HMRC) authorise(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	if asked.Get("client_id") != h.options.ClientID || asked.Get("redirect_uri") != h.options.RedirectURL || asked.Get("response_type") != "code" {
		http.Error(w, "invalid request", http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	code := h.serial("code")
	h.codes[code] = asked.Get("code_challenge")
	h.mu.Unlock()
	back := url.Values{"code": {code}, "state": {asked.Get("state")}}
	http.Redirect(w, r, h.options.RedirectURL+"?"+back.Encode(), http.StatusSeeOther)
}

// token issues tokens for a code or a refresh token, each of which works once.
func (h *HMRC) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxTokenForm)
	if err := r.ParseForm(); err != nil {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_request"})
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls["token"]++
	if r.PostForm.Get("client_id") != h.options.ClientID || r.PostForm.Get("client_secret") != h.options.ClientSecret {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client", "error_description": "invalid client id or secret"})
		return
	}
	if !h.exchange(r.PostForm) {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "code or refresh token is invalid or was used before"})
		return
	}
	access, refresh := h.serial("access"), h.serial("refresh")
	h.access[access], h.refresh[refresh] = h.options.Now().Add(tokenLife), true
	answer(w, http.StatusOK, map[string]any{
		"access_token": access, "refresh_token": refresh, "token_type": "bearer", "expires_in": int(tokenLife.Seconds()), "scope": "read:vat write:vat",
	})
}

func (h *HMRC) exchange(form url.Values) bool {
	switch form.Get("grant_type") {
	case "authorization_code":
		challenge, unused := h.codes[form.Get("code")]
		delete(h.codes, form.Get("code"))
		return unused && form.Get("redirect_uri") == h.options.RedirectURL && verifies(challenge, form.Get("code_verifier"))
	case "refresh_token":
		unused := h.refresh[form.Get("refresh_token")]
		delete(h.refresh, form.Get("refresh_token"))
		return unused
	}
	return false
}

// verifies checks a PKCE verifier against its S256 challenge (RFC 7636, section 4.6).
func verifies(challenge, verifier string) bool {
	if challenge == "" {
		return verifier == ""
	}
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:]) == challenge
}

func answer(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]any{"code": code, "message": message})
}
