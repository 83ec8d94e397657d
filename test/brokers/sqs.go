package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// queues is what the test needs of Amazon SQS: queues named events and events.fifo, and a GET that lists their messages.
type queues struct {
	mu       sync.Mutex
	messages []map[string]any
	known    []string // deduplication ids
}

func sqs(s settings) error { return serve(s, signed(s, "sqs", &queues{})) }

func (q *queues) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r.Method == http.MethodGet {
		_ = json.NewEncoder(w).Encode(q.messages)
		return
	}
	var in map[string]any
	if json.NewDecoder(r.Body).Decode(&in) != nil || r.Header.Get("Content-Type") != "application/x-amz-json-1.0" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	url, _ := in["QueueUrl"].(string)
	if !strings.HasSuffix(url, "/events") && !strings.HasSuffix(url, "/events.fifo") {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"no such queue"}`))
		return
	}
	switch r.Header.Get("X-Amz-Target") {
	case "AmazonSQS.GetQueueAttributes":
		_, _ = w.Write([]byte(`{"Attributes":{"QueueArn":"arn:aws:sqs:eu-west-2:123456789012:events"}}`))
	case "AmazonSQS.SendMessage":
		q.keep(w, in, strings.HasSuffix(url, ".fifo"))
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// keep stores a message. A FIFO queue needs a group, and drops a message that it has.
func (q *queues) keep(w http.ResponseWriter, in map[string]any, fifo bool) {
	attributes, _ := in["MessageAttributes"].(map[string]any)
	id, _ := in["MessageDeduplicationId"].(string)
	if len(attributes) > 10 || fifo != (id != "" && in["MessageGroupId"] != nil) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.sqs#InvalidParameterValue","message":"refused by the test"}`))
		return
	}
	if !fifo || !slices.Contains(q.known, id) {
		q.messages = append(q.messages, in)
		q.known = append(q.known, id)
	}
	_, _ = w.Write([]byte(`{"MessageId":"11111111-2222-3333-4444-555555555555"}`))
}
