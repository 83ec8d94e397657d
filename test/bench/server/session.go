package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
)

// password is the password of all users.
const password = "a tide table for the bench"

// Session invites a user into the organisation of a running server, accepts the invitation, and returns the
// session's cookie.
func (o Office) Session(ctx context.Context, program, data, address, email string, settings ...string) (cookie string, err error) {
	invite := exec.CommandContext(ctx, program, "user", "invite", email, "--org", o.Org)
	invite.Env = append(append(os.Environ(), Environment(data, address)...), settings...)
	out, err := invite.Output()
	if err != nil {
		return "", fmt.Errorf("server: invite: %w", err)
	}
	link, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(link+"/join", url.Values{"name": {"Rita Reader"}, "password": {password}})
	if err != nil {
		return "", fmt.Errorf("server: join: %w", err)
	}
	defer response.Body.Close()
	for _, c := range response.Cookies() {
		if strings.HasSuffix(c.Name, "tidewaiter_session") {
			return c.Name + "=" + c.Value, nil
		}
	}
	return "", fmt.Errorf("server: join: %s", response.Status)
}
