package config

import (
	"errors"
	"fmt"
	"net/url"
)

// WebhookProxyURL is the proxy of webhooks; nil for none. The error does not show the address, which may hold a password.
func (c *Config) WebhookProxyURL() (*url.URL, error) {
	if c.WebhookProxy == "" {
		return nil, nil
	}
	u, err := url.Parse(c.WebhookProxy)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("webhook-proxy is not an http or https address")
	}
	return u, nil
}

func (c *Config) webhookFaults() (wrong []string) {
	if _, err := c.WebhookProxyURL(); err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, r := range c.WebhookAllow {
		if r != r.Masked() || r.Addr().Is4In6() {
			wrong = append(wrong, fmt.Sprintf("webhook-allow: %s is not a range, such as 10.1.0.0/16 or fd12:3456::/32", r))
		}
	}
	return wrong
}
