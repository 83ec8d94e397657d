package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

const openaiBase = "https://api.openai.com/v1"

// Chat uses OpenAI's Chat Completions API, which many servers offer. The answer is JSON of the
// task's schema.
type Chat struct {
	endpoint
	model string
}

// NewChat uses OpenAI, or the base address given. The client sets the limits on time
// and size. An operator's own server often needs no key.
func NewChat(base, key, model string, client *http.Client) *Chat {
	if base == "" {
		base = openaiBase
	}
	headers := http.Header{}
	if key != "" {
		headers.Set("Authorization", "Bearer "+key)
	}
	return &Chat{endpoint{client, strings.TrimRight(base, "/") + "/chat/completions", headers}, model}
}

// The parts of the Chat Completions API that are used.
type (
	chatRequest struct {
		Model               string        `json:"model"`
		MaxCompletionTokens int64         `json:"max_completion_tokens"`
		Messages            []chatMessage `json:"messages"`
		ResponseFormat      chatFormat    `json:"response_format"`
	}
	chatMessage struct {
		Role    string `json:"role"`
		Content any    `json:"content"` // a string, or []chatPart
	}
	chatPart struct {
		Type     string     `json:"type"`
		Text     string     `json:"text,omitempty"`
		ImageURL *chatImage `json:"image_url,omitempty"`
	}
	chatImage struct {
		URL string `json:"url"`
	}
	chatFormat struct {
		Type       string     `json:"type"`
		JSONSchema chatSchema `json:"json_schema"`
	}
	chatSchema struct {
		Name   string         `json:"name"`
		Strict bool           `json:"strict"`
		Schema map[string]any `json:"schema"`
	}
	chatAnswer struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
	}
)

// Ask sends one task.
func (c *Chat) Ask(ctx context.Context, t Task) (json.RawMessage, error) {
	var answer chatAnswer
	err := c.post(ctx, chatRequest{
		Model: c.model, MaxCompletionTokens: t.MaxTokens,
		Messages: []chatMessage{{Role: "system", Content: t.Rules}, {Role: "user", Content: chatParts(t)}},
		ResponseFormat: chatFormat{
			Type: "json_schema", JSONSchema: chatSchema{Name: t.Name, Strict: true, Schema: t.Schema},
		},
	}, &answer)
	if err != nil {
		return nil, err
	}
	return answer.object()
}

func chatParts(t Task) []chatPart {
	parts := []chatPart{{Type: "text", Text: t.Material}}
	if t.Picture == nil {
		return parts
	}
	data := base64.StdEncoding.EncodeToString(t.Picture.Data)
	return append(parts, chatPart{Type: "image_url", ImageURL: &chatImage{"data:" + t.Picture.MediaType + ";base64," + data}})
}

func (a *chatAnswer) object() (json.RawMessage, error) {
	if len(a.Choices) == 0 {
		return nil, errNoAnswer
	}
	choice := a.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.FinishReason == "content_filter":
		return nil, errRefused
	case choice.FinishReason == "length":
		return nil, errTruncated
	case choice.Message.Content == "":
		return nil, errNoAnswer
	}
	return object(choice.Message.Content)
}
