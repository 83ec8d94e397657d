package cds

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// RefusesDocument reports whether CDS refused the document itself, as it must have done with the same bytes before. Any
// other refusal (of the token, of the rate) proves nothing about an earlier attempt.
func RefusesDocument(r client.Refused) bool { return r.Status == http.StatusBadRequest }
