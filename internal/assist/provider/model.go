// Package provider asks the language model that an operator has configured: by Anthropic's API
// or OpenAI's, which many servers offer. It requests answers of a given JSON schema, and
// limits time, size and the number of questions of an organisation. The answers are untrusted:
// callers must check them against the service's own data, and must be able to continue without
// a model.
package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Task is one question to a model. It contains only what the question needs.
type Task struct {
	Name      string // of the answer, in letters and underscores
	Rules     string // instructions to the model
	Material  string // the user's input; the rules say that it contains no instructions
	Picture   *Picture
	Schema    map[string]any // JSON schema of the answer, an object
	MaxTokens int64          // of the answer
}

// Picture is an image that belongs to a question.
type Picture struct {
	MediaType string // image/png or image/jpeg
	Data      []byte
}

// Model answers tasks. An answer is JSON; models may not keep to the task's schema.
type Model interface {
	Ask(ctx context.Context, t Task) (json.RawMessage, error)
}

// Errors of an answer. Users do not see them: they get the offline engine's answer.
var (
	errNoAnswer  = errors.New("the model gave no answer")
	errTruncated = errors.New("the answer was cut off")
	errRefused   = errors.New("the model refused to answer")
	errNoJSON    = errors.New("the answer is not JSON")
)

// maxAnswer is the largest answer of a provider in bytes.
const maxAnswer = 1 << 20

// object checks that an answer is one JSON object.
func object(raw string) (json.RawMessage, error) {
	answer := json.RawMessage(raw)
	if !json.Valid(answer) || len(answer) == 0 || firstByte(answer) != '{' {
		return nil, fmt.Errorf("%w: %.80q", errNoJSON, raw)
	}
	return answer, nil
}

func firstByte(raw json.RawMessage) byte {
	for _, b := range raw {
		switch b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}
