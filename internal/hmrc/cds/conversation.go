package cds

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// conversationHeader contains the ID that connects notifications to a submission.
const conversationHeader = "X-Conversation-ID"

// ConversationID returns the conversation ID of an answer or a notification. It must be present once and be a UUID in
// lower case, as CDS writes it.
func ConversationID(header http.Header) (string, bool) {
	ids := header.Values(conversationHeader)
	if len(ids) != 1 || !ident.IsUUID(ids[0]) {
		return "", false
	}
	return ids[0], true
}
