package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Limits of an access token.
const (
	maxTokenAnswer = 64 << 10
	tokenReserve   = 30 * time.Second // before its end a token is replaced
	tokenLife      = 5 * time.Minute  // of one whose end the server does not say
)

// tokens gets access tokens for one endpoint, and keeps each until it ends or the receiver refuses it.
type tokens struct {
	grant  ClientGrant
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	token string
	until time.Time
}

// get returns a token. Attempts at the same time wait for one request.
func (t *tokens) get(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token != "" && t.now().Before(t.until) {
		return t.token, nil
	}
	token, life, err := t.request(ctx)
	if err != nil {
		return "", err
	}
	t.token, t.until = token, t.now().Add(life-tokenReserve)
	return token, nil
}

// refused forgets a token that the receiver did not accept.
func (t *tokens) refused(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == token {
		t.token = ""
	}
}

// request asks for a token (RFC 6749, section 4.4).
func (t *tokens) request(ctx context.Context) (token string, life time.Duration, err error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if t.grant.Scope != "" {
		form.Set("scope", t.grant.Scope)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.grant.TokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return "", 0, err
	}
	request.SetBasicAuth(url.QueryEscape(t.grant.ClientID), url.QueryEscape(t.grant.ClientSecret))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	answer, err := t.client.Do(request)
	if err != nil {
		return "", 0, &tokenError{explain(err)}
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", 0, &tokenError{fmt.Sprintf("the token endpoint answered %d", answer.StatusCode)}
	}
	return readToken(io.LimitReader(answer.Body, maxTokenAnswer))
}

// tokenError is why there is no access token.
type tokenError struct{ why string }

func (e *tokenError) Error() string { return "no access token: " + e.why }

func readToken(answer io.Reader) (token string, life time.Duration, err error) {
	var granted struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int64  `json:"expires_in"`
	}
	if json.NewDecoder(answer).Decode(&granted) != nil || granted.AccessToken == "" || !strings.EqualFold(granted.TokenType, "bearer") {
		return "", 0, &tokenError{"the token endpoint did not answer with a bearer token"}
	}
	if granted.ExpiresIn <= 0 {
		return granted.AccessToken, tokenLife, nil
	}
	return granted.AccessToken, time.Duration(min(granted.ExpiresIn, longestWait)) * time.Second, nil
}
