// Package provider is the way to a language model that an operator has configured:
// Anthropic's API, or any endpoint that speaks OpenAI's. It asks for answers of a
// given JSON schema, within a deadline, an allowance of the organisation and a bound
// of size, and it knows nothing of customs. What comes back is a stranger's word:
// whoever asks must check it against what the service knows itself, and must be able
// to do without.
package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Task is one question to a model. Nothing goes into it that the question does not need.
type Task struct {
	Name      string // of the answer, in letters and underscores
	Rules     string // what the model has to do, in our own words
	Material  string // what a user gave; the rules say that it holds no instructions
	Picture   *Picture
	Schema    map[string]any // JSON schema of the answer, an object
	MaxTokens int64          // of the answer
}

// Picture is an image that is asked about.
type Picture struct {
	MediaType string // image/png or image/jpeg
	Data      []byte
}

// Model answers tasks. An answer is JSON of the task's schema, as far as the model
// kept to it.
type Model interface {
	Ask(ctx context.Context, t Task) (json.RawMessage, error)
}

// Faults of an answer. None of them reaches a user: the offline engine answers then.
var (
	errNoAnswer = errors.New("the model gave no answer")
	errCut      = errors.New("the answer was cut off")
	errRefused  = errors.New("the model refused to answer")
	errNoJSON   = errors.New("the answer is not JSON")
)

// maxAnswer is how many bytes an answer of a provider may have, head and all.
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
