package contract

import "maps"

// object is a JSON object.
type object = map[string]any

// EachExample calls visit for the examples of bodies in an OpenAPI document, with the place of each: the ID of the operation
// and the status, or the name of a shared response, the media type, and the name of the example where there are several.
func EachExample(document object, visit func(place string, example object)) {
	for _, part := range []string{"paths", "webhooks"} {
		for _, item := range members(document[part]) {
			for _, op := range members(item) {
				id, _ := members(op)["operationId"].(string)
				eachInContent(id+" request", members(op)["requestBody"], visit)
				eachInResponses(id+" ", members(op)["responses"], visit)
			}
		}
	}
	eachInResponses("shared ", members(document["components"])["responses"], visit)
}

func eachInResponses(prefix string, responses any, visit func(string, object)) {
	for name, r := range members(responses) {
		eachInContent(prefix+name, r, visit)
	}
}

func eachInContent(place string, holder any, visit func(string, object)) {
	for media, body := range members(members(holder)["content"]) {
		at := place + " " + media
		if value, ok := members(body)["example"]; ok {
			visit(at, object{"value": value})
		}
		for name, example := range members(members(body)["examples"]) {
			if name == "recorded" {
				visit(at, members(example))
			} else {
				visit(at+" "+name, members(example))
			}
		}
	}
}

// members returns the members of a JSON object, and none of anything else.
func members(v any) object {
	o, _ := v.(object)
	return o
}

// WithoutTexts removes the descriptions from a document, and the examples of bodies: what no program relies on.
func WithoutTexts(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			WithoutTexts(one)
		}
	case object:
		for _, body := range members(v["content"]) {
			maps.DeleteFunc(members(body), func(name string, _ any) bool { return name == "example" || name == "examples" })
		}
		if _, isText := v["description"].(string); isText {
			delete(v, "description")
		}
		for _, member := range v {
			WithoutTexts(member)
		}
	}
}
