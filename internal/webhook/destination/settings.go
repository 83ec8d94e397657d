package destination

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Config is what a kind needs besides the address. A kind takes only its own members.
type Config struct {
	Exchange   string `json:"exchange,omitempty" maxLength:"255" doc:"amqp: exchange; absent for the default exchange" example:"tidewaiter"`
	RoutingKey string `json:"routingKey,omitempty" maxLength:"255" doc:"amqp: routing key; absent for the type of the event" example:"customs"`
	Topic      string `json:"topic,omitempty" maxLength:"249" doc:"kafka: topic. The key of a message is the id of its record" example:"tidewaiter.events"`
	Stream     string `json:"stream,omitempty" maxLength:"255" doc:"nats: stream of JetStream" example:"TIDEWAITER"`
	Subject    string `json:"subject,omitempty" maxLength:"255" doc:"nats: subject, which the stream must store" example:"tidewaiter.events"`
	Region     string `json:"region,omitempty" maxLength:"50" doc:"sqs, s3: region that signatures name" example:"eu-west-2"`
	Endpoint   string `json:"endpoint,omitempty" maxLength:"2048" doc:"s3: address of another service than Amazon's" example:"https://storage.example.com"`
	Every      int    `json:"every,omitempty" minimum:"1" maximum:"3600" doc:"s3: seconds that events wait for others of their object; 10 if it is absent. An object has at most 64 events" example:"60"`
}

// Credentials are what a receiver asks for: username and password, token, or accessKeyId and secretAccessKey.
type Credentials struct {
	Username        string `json:"username,omitempty" maxLength:"500" doc:"User name, with password" example:"tidewaiter"`
	Password        string `json:"password,omitempty" maxLength:"1000" doc:"Password of the user" example:"k3…"`
	Token           string `json:"token,omitempty" maxLength:"8192" doc:"Token of nats or kafka" example:"s3…"`
	AccessKeyID     string `json:"accessKeyId,omitempty" maxLength:"128" doc:"sqs, s3: id of the access key" example:"AKIAIOSFODNN7EXAMPLE"`
	SecretAccessKey string `json:"secretAccessKey,omitempty" maxLength:"256" doc:"sqs, s3: secret of the access key" example:"wJ…"`
}

// Form is a way to prove who the service is.
type Form int

// The forms of credentials.
const (
	None Form = iota
	Password
	Token
	AccessKey
	mixed
)

// Form returns the form of the credentials; a value that is none of the above for parts of several.
func (c Credentials) Form() Form {
	switch c {
	case Credentials{}:
		return None
	case Credentials{Username: c.Username, Password: c.Password}:
		return complete(Password, c.Username, c.Password)
	case Credentials{Token: c.Token}:
		return Token
	case Credentials{AccessKeyID: c.AccessKeyID, SecretAccessKey: c.SecretAccessKey}:
		return complete(AccessKey, c.AccessKeyID, c.SecretAccessKey)
	}
	return mixed
}

func complete(f Form, parts ...string) Form {
	if slices.Contains(parts, "") {
		return mixed
	}
	return f
}

var formNames = map[Form]string{None: "nothing", Password: "username and password", Token: "token", AccessKey: "accessKeyId and secretAccessKey"}

// Problems returns what is wrong with credentials of which a kind accepts some forms.
func (c Credentials) Problems(forms ...Form) []apierr.Detail {
	if slices.Contains(forms, c.Form()) {
		return nil
	}
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = formNames[f]
	}
	return []apierr.Detail{{Field: "credentials", Message: "must be " + strings.Join(names, ", or ")}}
}

// Problems returns the members of the configuration that a kind lacks or does not know.
func (c Config) Problems(kind string, needed, optional []string) (details []apierr.Detail) {
	for _, member := range c.members() {
		switch set := member.value != ""; {
		case !set && slices.Contains(needed, member.name):
			details = append(details, apierr.Detail{Field: "config." + member.name, Message: "is required for " + kind})
		case set && !slices.Contains(needed, member.name) && !slices.Contains(optional, member.name):
			details = append(details, apierr.Detail{Field: "config." + member.name, Message: "does not belong to " + kind})
		case strings.ContainsFunc(member.value, isControl):
			details = append(details, apierr.Detail{Field: "config." + member.name, Message: "must not contain control characters"})
		}
	}
	return details
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

type member struct{ name, value string }

func (c Config) members() []member {
	every := ""
	if c.Every != 0 {
		every = fmt.Sprint(c.Every)
	}
	return []member{
		{"exchange", c.Exchange}, {"routingKey", c.RoutingKey}, {"topic", c.Topic}, {"stream", c.Stream}, {"subject", c.Subject},
		{"region", c.Region}, {"endpoint", c.Endpoint}, {"every", every},
	}
}

// Address is the address of a broker.
type Address struct {
	Hosts []string // with ports
	Path  string   // with the slash before it; empty for none
	Plain bool     // without TLS
}

// ReadAddress reads an address such as kafka://one:9093,two:9093. Schemes say which ones are without TLS.
func (n Network) ReadAddress(text string, schemes map[string]bool, port string) (a Address, err error) {
	scheme, rest, found := strings.Cut(text, "://")
	plain, known := schemes[scheme]
	if !found || !known {
		return a, errors.New("must begin with " + listOf(schemes))
	}
	if plain && !n.Guard.AllowsPlain() {
		return a, errors.New("must begin with " + listOf(schemes) + "; the operator allows no address without TLS")
	}
	authority, path, found := strings.Cut(rest, "/")
	a = Address{Plain: plain}
	if found {
		a.Path = "/" + path
	}
	if strings.ContainsAny(a.Path, "?#") {
		return a, errors.New("must not contain a query or a fragment")
	}
	for host := range strings.SplitSeq(authority, ",") {
		u, err := n.Guard.Check("https://" + host)
		if err != nil {
			return a, err
		}
		if u.Port() == "" {
			u.Host += ":" + port
		}
		a.Hosts = append(a.Hosts, u.Host)
	}
	return a, nil
}

// listOf returns the schemes that can be used: those with TLS, or all if none has it for certain.
func listOf(schemes map[string]bool) string {
	var names []string
	for scheme, plain := range schemes {
		if !plain {
			names = append(names, scheme+"://")
		}
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// CheckURL checks an address of HTTP, and reports whether it is without TLS.
func (n Network) CheckURL(text string) (u *url.URL, plain bool, err error) {
	u, err = n.Guard.Check(text)
	if err != nil {
		return nil, false, err
	}
	plain = u.Scheme == "http"
	if plain && !n.Guard.AllowsPlain() {
		return nil, false, errors.New("must begin with https://; the operator allows no address without TLS")
	}
	return u, plain, nil
}

// OneHost returns the problem of an address with several hosts.
func (a Address) OneHost() error {
	if len(a.Hosts) != 1 {
		return errors.New("must name one host")
	}
	return nil
}

// Problem returns an error as the problem of the address; nothing for nil.
func Problem(field string, err error) []apierr.Detail {
	if err == nil {
		return nil
	}
	return []apierr.Detail{{Field: field, Message: err.Error()}}
}
