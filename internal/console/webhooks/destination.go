package webhooks

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// setting is a field of the form that only some kinds have. Its name is that of the API, such as config.topic.
type setting struct {
	Name, Label, Type string
	Kinds             string // that have it, separated by spaces
	Needed            bool   // by all of these kinds
	Value             string
}

// settings are the fields of all kinds but webhook, those of config before those of credentials.
var settings = []setting{
	{Name: "config.exchange", Label: "Exchange (AMQP)", Kinds: "amqp"}, {Name: "config.routingKey", Label: "Routing key (AMQP)", Kinds: "amqp"}, {Name: "config.topic", Label: "Topic (Kafka)", Kinds: "kafka", Needed: true},
	{Name: "config.stream", Label: "Stream (NATS)", Kinds: "nats", Needed: true}, {Name: "config.subject", Label: "Subject (NATS)", Kinds: "nats", Needed: true}, {Name: "config.region", Label: "Region (SQS, S3)", Kinds: "sqs s3"},
	{Name: "config.endpoint", Label: "Service (S3)", Kinds: "s3"}, {Name: "config.every", Label: "Seconds between two objects (S3)", Kinds: "s3"},
	{Name: "credentials.username", Label: "User name (AMQP, Kafka, NATS)", Kinds: "amqp kafka nats"}, {Name: "credentials.password", Label: "Password (AMQP, Kafka, NATS)", Kinds: "amqp kafka nats", Type: "password"},
	{Name: "credentials.token", Label: "Token (Kafka, NATS)", Kinds: "kafka nats", Type: "password"}, {Name: "credentials.accessKeyId", Label: "Access key ID (SQS, S3)", Kinds: "sqs s3", Needed: true},
	{Name: "credentials.secretAccessKey", Label: "Secret access key (SQS, S3)", Kinds: "sqs s3", Needed: true, Type: "password"},
}

const configFields = 8 // of settings

// withDestination returns an input in JSON, with the kind and its settings in the form.
func withDestination(c *page.Context, input webhook.Input) ([]byte, error) {
	body, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	in := map[string]any{}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if kind := c.Value("kind"); kind != "" && kind != webhook.Webhook {
		in["kind"] = kind
	}
	config, credentials := entered(c, settings[:configFields], "config."), entered(c, settings[configFields:], "credentials.")
	if every, err := strconv.Atoi(c.Value("config.every")); err == nil {
		config["every"] = every
	}
	if len(config) > 0 {
		in["config"] = config
	}
	if len(credentials) > 0 {
		in["credentials"] = credentials
	}
	return json.Marshal(in)
}

func entered(c *page.Context, fields []setting, prefix string) map[string]any {
	values := map[string]any{}
	for _, f := range fields {
		if value := c.Value(f.Name); value != "" {
			values[f.Name[len(prefix):]] = value
		}
	}
	return values
}

// settingsOf returns the fields of an endpoint's kind, and those of all kinds for a new endpoint. Credentials are never
// shown again.
func settingsOf(e webhook.Endpoint) []setting {
	stored := map[string]any{}
	text, _ := json.Marshal(e.Config)
	_ = json.Unmarshal(text, &stored) // its own JSON
	shown := make([]setting, 0, len(settings))
	for i, f := range settings {
		if e.ID != "" && !slices.Contains(strings.Fields(f.Kinds), e.Kind) {
			continue
		}
		f.Type = cmp.Or(f.Type, "text")
		if i < configFields {
			f.Value = textOf(stored[f.Name[len("config."):]])
		}
		shown = append(shown, f)
	}
	return shown
}

func textOf(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.Itoa(int(n))
	}
	text, _ := value.(string)
	return text
}

// shownAt returns the field of the form that shows a problem of a member. Those of single events are shown at the list.
func shownAt(member string) string {
	switch {
	case slices.Contains([]string{"url", "description", "kind"}, member), slices.ContainsFunc(settings, func(f setting) bool { return f.Name == member }):
		return member
	case member == "credentials":
		return settings[configFields].Name
	case member == "config":
		return "kind"
	}
	return "events"
}
