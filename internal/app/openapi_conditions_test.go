package app_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unconditional are the operations on one thing without conditional requests, by the reason.
var unconditional = map[string]string{
	"a job changes while it runs":      `(GET|DELETE) /api/(batches|imports|organisation/export|tariff/what-if)/\{id\}(/results|/archive|/result|/result\.csv)?`,
	"what is made from a record":       `GET /api/.*/\{id\}/(evidence\.zip|document\.pdf|export\.xml|declaration\.xml|message\.xml|checklist|files/\{fileId\})`,
	"a link to the portal stays as is": `DELETE /api/webhooks/portal/\{id\}`,
	"events and deliveries, no record": `GET /api/((declarations|shipments)/\{id\}/timeline|webhooks/endpoints/\{id\}/deliveries(/\{deliveryId\})?)`,
	"messages of an authority":         `(GET|POST) /api/(.*/\{id\}/messages|authorities/messages/\{id\}/claim)`,
	"a consent, as at customs":         `(POST|DELETE) /api/authorities/\{id\}/consent`,
	"a notification has no record":     `(GET|POST) /api/authorities/\{id\}/notifications`,
	"an approval ends by itself":       `GET /api/.*/\{id\}/approval`,
	"the record stays as it is":        `POST /api/.*/\{(id|deliveryId)\}/(review|classify|copy|supplementary|declarations|test|recover|resend)`,
	"repeating it changes nothing":     `(POST|DELETE) /api/hubs/\{id\}`,
}

// Every change of one record takes If-Match and can answer 412, every reading of one takes If-None-Match, can answer 304 and
// has an ETag, and so has every answer with a record that was made. The exceptions exist.
func TestConditionalRequests(t *testing.T) {
	document := openAPI(t)
	used := map[string]bool{}
	for path, item := range document["paths"].(object) {
		for method, op := range item.(object) {
			place := strings.ToUpper(method) + " " + path
			missing := missingConditions(document, method, path, op)
			if reason := exception(place); len(missing) > 0 && reason == "" {
				t.Errorf("%s lacks %s", place, strings.Join(missing, ", "))
			} else if len(missing) > 0 {
				used[reason] = true
			}
		}
	}
	for reason := range unconditional {
		if !used[reason] {
			t.Errorf("no operation is unconditional because %s", reason)
		}
	}
}

// exception returns the reason for which an operation may be unconditional; empty for none.
func exception(place string) string {
	for reason, places := range unconditional {
		if regexp.MustCompile("^" + places + "$").MatchString(place) {
			return reason
		}
	}
	return ""
}

// missingConditions returns what an operation on one thing lacks.
func missingConditions(document object, method, path string, op any) (missing []string) {
	lacks := func(what string, has bool) {
		if !has {
			missing = append(missing, what)
		}
	}
	one := strings.Contains(path, "{") || method == "patch"
	switch {
	case method == "get" && one:
		lacks("If-None-Match", hasParameter(document, op, "If-None-Match"))
		lacks("304", at(op, "responses", "304") != nil)
		lacks("ETag", hasETag(document, op, "200"))
	case method != "get" && one:
		lacks("If-Match", hasParameter(document, op, "If-Match"))
		lacks("412", at(op, "responses", "412") != nil)
	case method == "post" && isRecord(document, op):
		lacks("ETag", hasETag(document, op, "201"))
	}
	return missing
}

func hasParameter(document object, op any, name string) bool {
	params, _ := at(op, "parameters").([]any)
	return slices.ContainsFunc(params, func(p any) bool { return at(resolved(document, p), "name") == name })
}

func hasETag(document object, op any, status string) bool {
	return at(resolved(document, at(op, "responses", status)), "headers", "ETag") != nil
}

// isRecord reports whether an operation makes a record: an object with id and createdAt.
func isRecord(document object, op any) bool {
	schema := resolved(document, at(op, "responses", "201", "content", "application/json", "schema"))
	members, _ := at(schema, "properties").(object)
	return members["id"] != nil && members["createdAt"] != nil
}
