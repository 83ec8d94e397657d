package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

// Anthropic's address, and the version of its API that the requests use.
const (
	anthropicBase    = "https://api.anthropic.com"
	anthropicVersion = "2023-06-01"
)

// Claude uses Anthropic's Messages API. The answer is the input of a tool that the model must
// call; the tool's schema is that of the task.
type Claude struct {
	endpoint
	model string
}

// NewClaude uses Anthropic, or the base address given. The client sets the limits on
// time and size.
func NewClaude(base, key, model string, client *http.Client) *Claude {
	if base == "" {
		base = anthropicBase
	}
	headers := http.Header{"X-Api-Key": {key}, "Anthropic-Version": {anthropicVersion}}
	return &Claude{endpoint{client, strings.TrimRight(base, "/") + "/v1/messages", headers}, model}
}

// The parts of the Messages API that are used.
type (
	claudeRequest struct {
		Model      string          `json:"model"`
		MaxTokens  int64           `json:"max_tokens"`
		System     string          `json:"system"`
		Messages   []claudeMessage `json:"messages"`
		Tools      []claudeTool    `json:"tools"`
		ToolChoice claudeChoice    `json:"tool_choice"`
	}
	claudeMessage struct {
		Role    string        `json:"role"`
		Content []claudeBlock `json:"content"`
	}
	claudeBlock struct {
		Type   string          `json:"type"`
		Text   string          `json:"text,omitempty"`
		Source *claudeImage    `json:"source,omitempty"`
		Input  json.RawMessage `json:"input,omitempty"` // of a tool_use block in an answer
	}
	claudeImage struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"` // base64
	}
	claudeTool struct {
		Name        string         `json:"name"`
		InputSchema map[string]any `json:"input_schema"`
	}
	claudeChoice struct {
		Type string `json:"type"`
		Name string `json:"name"`
	}
	claudeAnswer struct {
		StopReason string        `json:"stop_reason"`
		Content    []claudeBlock `json:"content"`
	}
)

// Ask sends one task.
func (c *Claude) Ask(ctx context.Context, t Task) (json.RawMessage, error) {
	var answer claudeAnswer
	err := c.post(ctx, claudeRequest{
		Model: c.model, MaxTokens: t.MaxTokens, System: t.Rules,
		Messages:   []claudeMessage{{Role: "user", Content: claudeBlocks(t)}},
		Tools:      []claudeTool{{Name: t.Name, InputSchema: t.Schema}},
		ToolChoice: claudeChoice{Type: "tool", Name: t.Name},
	}, &answer)
	if err != nil {
		return nil, err
	}
	return answer.object()
}

func claudeBlocks(t Task) (blocks []claudeBlock) {
	if t.Picture != nil {
		data := base64.StdEncoding.EncodeToString(t.Picture.Data)
		blocks = append(blocks, claudeBlock{Type: "image", Source: &claudeImage{"base64", t.Picture.MediaType, data}})
	}
	return append(blocks, claudeBlock{Type: "text", Text: t.Material})
}

// object returns the tool's input, or the text if a model wrote JSON instead.
func (a *claudeAnswer) object() (json.RawMessage, error) {
	switch a.StopReason {
	case "max_tokens":
		return nil, errTruncated
	case "refusal":
		return nil, errRefused
	}
	text := ""
	for _, block := range a.Content {
		switch block.Type {
		case "tool_use":
			return object(string(block.Input))
		case "text":
			text += block.Text
		}
	}
	if text == "" {
		return nil, errNoAnswer
	}
	return object(text)
}
