package config

import (
	"net/mail"
	"net/url"
)

// mailFaults returns what is wrong with the settings of mail.
func mailFaults(server, from string) (wrong []string) {
	if server == "" {
		if from != "" {
			wrong = append(wrong, "mail-from needs smtp-url")
		}
		return wrong
	}
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		wrong = append(wrong, "smtp-url must have the form smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	if _, err := mail.ParseAddress(from); err != nil {
		wrong = append(wrong, "smtp-url needs mail-from, an address such as tidewaiter@example.com")
	}
	return wrong
}
