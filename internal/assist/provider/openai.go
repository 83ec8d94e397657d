package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// Chat asks a model by OpenAI's Chat Completions API, which many servers speak. The
// answer is JSON by the schema of the task.
type Chat struct {
	client openai.Client
	model  string
}

// NewChat reaches OpenAI, or the base address given, by a client whose limits are
// the caller's. Servers of one's own often want no key.
func NewChat(base, key, model string, client *http.Client) *Chat {
	if base == "" {
		base = "https://api.openai.com/v1/"
	}
	return &Chat{openai.NewClient(
		option.WithBaseURL(base), option.WithAPIKey(key), option.WithOrganization(""), option.WithProject(""),
		option.WithHTTPClient(client), option.WithMaxRetries(0),
	), model}
}

// Ask sends one task.
func (c *Chat) Ask(ctx context.Context, t Task) (json.RawMessage, error) {
	completion, err := c.client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model: shared.ChatModel(c.model), MaxCompletionTokens: openai.Int(t.MaxTokens),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(t.Rules), openai.UserMessage(parts(t))},
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: t.Name, Strict: openai.Bool(true), Schema: t.Schema},
		}},
	})
	if err != nil {
		return nil, err
	}
	return chosen(completion)
}

func parts(t Task) []openai.ChatCompletionContentPartUnionParam {
	all := []openai.ChatCompletionContentPartUnionParam{openai.TextContentPart(t.Material)}
	if t.Picture == nil {
		return all
	}
	return append(all, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
		URL: "data:" + t.Picture.MediaType + ";base64," + base64.StdEncoding.EncodeToString(t.Picture.Data),
	}))
}

func chosen(c *openai.ChatCompletion) (json.RawMessage, error) {
	if len(c.Choices) == 0 {
		return nil, errNoAnswer
	}
	choice := c.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.FinishReason == "content_filter":
		return nil, errRefused
	case choice.FinishReason == "length":
		return nil, errCut
	case choice.Message.Content == "":
		return nil, errNoAnswer
	}
	return object(choice.Message.Content)
}
