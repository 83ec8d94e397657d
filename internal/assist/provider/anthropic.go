package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// Claude asks a model by Anthropic's Messages API. The answer is the input of a tool
// that the model is made to use, whose schema is that of the task.
type Claude struct {
	client anthropic.Client
	model  string
}

// NewClaude reaches Anthropic, or the base address given, by a client whose limits
// are the caller's.
func NewClaude(base, key, model string, client *http.Client) *Claude {
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithAPIKey(key), option.WithHTTPClient(client), option.WithMaxRetries(0),
	}
	if base != "" {
		options = append(options, option.WithBaseURL(base))
	}
	return &Claude{anthropic.NewClient(options...), model}
}

// Ask sends one task.
func (c *Claude) Ask(ctx context.Context, t Task) (json.RawMessage, error) {
	message, err := c.client.Messages.New(ctx, anthropic.MessageNewParams{
		Model: anthropic.Model(c.model), MaxTokens: t.MaxTokens,
		System:     []anthropic.TextBlockParam{{Text: t.Rules}},
		Messages:   []anthropic.MessageParam{anthropic.NewUserMessage(blocks(t)...)},
		Tools:      []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: t.Name, InputSchema: inputSchema(t.Schema)}}},
		ToolChoice: anthropic.ToolChoiceParamOfTool(t.Name),
	})
	if err != nil {
		return nil, err
	}
	return answered(message)
}

func blocks(t Task) []anthropic.ContentBlockParamUnion {
	all := []anthropic.ContentBlockParamUnion{}
	if t.Picture != nil {
		all = append(all, anthropic.NewImageBlockBase64(t.Picture.MediaType, base64.StdEncoding.EncodeToString(t.Picture.Data)))
	}
	return append(all, anthropic.NewTextBlock(t.Material))
}

func inputSchema(schema map[string]any) anthropic.ToolInputSchemaParam {
	required, _ := schema["required"].([]string)
	return anthropic.ToolInputSchemaParam{
		Properties: schema["properties"], Required: required,
		ExtraFields: map[string]any{"additionalProperties": false},
	}
}

// answered takes the tool's input, or the text where a model wrote JSON instead.
func answered(m *anthropic.Message) (json.RawMessage, error) {
	switch m.StopReason {
	case anthropic.StopReasonMaxTokens:
		return nil, errCut
	case anthropic.StopReasonRefusal:
		return nil, errRefused
	}
	text := ""
	for _, block := range m.Content {
		switch b := block.AsAny().(type) {
		case anthropic.ToolUseBlock:
			return object(string(b.Input))
		case anthropic.TextBlock:
			text += b.Text
		}
	}
	if text == "" {
		return nil, errNoAnswer
	}
	return object(text)
}
