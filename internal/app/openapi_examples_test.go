package app_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// unrecordedAnswer is the job that imports an archive of documents; it has the form of every job.
const unrecordedAnswer = "import-declaration 202"

// Every operation has an example of its body and of each answer that is no file, and every event one of its body. Each
// fits its schema. Every shared error has one, with a code of its status.
func TestEveryOperationHasExamples(t *testing.T) {
	for place, media := range contents(t) {
		all := examplesOf(media)
		if len(all) == 0 && !isFile(media) && !strings.HasPrefix(place, unrecordedOperation) && !strings.HasPrefix(place, unrecordedAnswer) {
			t.Errorf("%s has no example", place)
		}
		for _, example := range all {
			if err := media.Schema.Value.VisitJSON(plain(t, example), openapi3.MultiErrors()); err != nil {
				t.Errorf("the example of %s: %v", place, err)
			}
		}
	}
}

// The example of an action that changes the status of a record has the status after it. A job that has ended stays DONE
// when it is cancelled.
func TestExamplesHaveTheRightStatus(t *testing.T) {
	want := map[string]string{"mark-approved": "APPROVED", "mark-accepted": "ACCEPTED", "mark-rejected": "REJECTED", "mark-dispatched": "IN_TRANSIT", "mark-delivered": "DELIVERED",
		"submit": "SUBMITTED", "cancel": "CANCELLED", "archive": "ARCHIVED", "unarchive": "ACTIVE"}
	seen := map[string]bool{}
	for place, media := range contents(t) {
		id, status, _ := strings.Cut(place, " ")
		for prefix, state := range want {
			if !strings.HasPrefix(id, prefix+"-") || strings.HasSuffix(id, "-batch") || strings.HasSuffix(id, "-what-if") || strings.HasSuffix(id, "-import") || strings.HasSuffix(id, "-export") || !strings.HasPrefix(status, "200 ") {
				continue
			}
			for _, example := range examplesOf(media) {
				if got := statusIn(example); got != "" && got != state {
					t.Errorf("the example of %s has the status %s", place, got)
				} else if got != "" {
					seen[prefix] = true
				}
			}
		}
	}
	for prefix := range want {
		if !seen[prefix] && !slices.Contains([]string{"archive", "unarchive"}, prefix) {
			t.Errorf("no example of %s shows a status", prefix)
		}
	}
}

// contents returns the bodies of all operations by operation and status, of events by type, and of shared errors by name.
func contents(t *testing.T) map[string]*openapi3.MediaType {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(app.OpenAPI(config.Config{}), &document); err != nil {
		t.Fatal(err)
	}
	paths := document["paths"].(object)
	for name, item := range document["webhooks"].(object) { // the loader ignores webhooks
		paths["/"+name] = item
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*openapi3.MediaType{}
	add := func(place string, content openapi3.Content) {
		for name, media := range content {
			all[place+" "+name] = media
		}
	}
	for _, item := range loaded.Paths.Map() {
		for _, op := range item.Operations() {
			if op.RequestBody != nil {
				add(op.OperationID+" request", op.RequestBody.Value.Content)
			}
			for status, r := range op.Responses.Map() {
				if r.Ref == "" {
					add(op.OperationID+" "+status, r.Value.Content)
				}
			}
		}
	}
	for name, r := range loaded.Components.Responses {
		add("the shared "+name, r.Value.Content)
	}
	return all
}

func examplesOf(media *openapi3.MediaType) (all []any) {
	if media.Example != nil {
		all = append(all, media.Example)
	}
	for _, e := range media.Examples {
		all = append(all, e.Value.Value)
	}
	return all
}

func isFile(media *openapi3.MediaType) bool { return media.Schema.Value.Format == "binary" }

// plain returns an example as decoded JSON.
func plain(t *testing.T, example any) (v any) {
	t.Helper()
	text, err := json.Marshal(example)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// statusIn returns the status of the record in an example.
func statusIn(example any) string {
	members, _ := example.(object)
	if status, ok := members["status"].(string); ok {
		return status
	}
	for _, member := range members {
		if status, ok := at(member, "status").(string); ok && len(members) <= 2 {
			return status
		}
	}
	return ""
}
