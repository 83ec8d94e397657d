package cds

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// conversationHeader carries the id that ties notifications to what was sent.
const conversationHeader = "X-Conversation-ID"

// ConversationID reads the conversation id of an answer or a notification. It
// must be there once and be a UUID in lower case, as customs writes it.
func ConversationID(header http.Header) (string, bool) {
	ids := header.Values(conversationHeader)
	if len(ids) != 1 || !ident.IsUUID(ids[0]) {
		return "", false
	}
	return ids[0], true
}
