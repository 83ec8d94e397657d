package ens

import (
	"fmt"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// correlationForm is the form of HMRC's correlation ids.
var correlationForm = lazyregexp.New(`^[0-9A-Za-z]{14}$`)

// ReadReceipt returns the correlation id of HMRC's answer to a declaration or amendment that it took: 14 letters and digits,
// possibly digits alone. HMRC writes it with and without a namespace.
func ReadReceipt(document []byte) (string, error) {
	root, err := readOne(document, "SuccessResponse")
	if err != nil {
		return "", err
	}
	id := root.Trimmed("ResponseData/CorrelationId")
	if !correlationForm.MatchString(id) {
		return "", fmt.Errorf("%w: its correlation id is %q", errOtherDocument, id)
	}
	return id, nil
}

// ReadRefusal returns the errors of HMRC's answer to a declaration or amendment that it refused, at most 100. A number that is
// not one is 0.
func ReadRefusal(document []byte) (all []verdict.Error, err error) {
	root, err := readOne(document, "ErrorResponse")
	if err != nil {
		return nil, err
	}
	for _, e := range root.All("Error") {
		number, _ := strconv.Atoi(e.Trimmed("Number"))
		all = append(all, verdict.Error{Number: number, Location: e.Trimmed("Location"), Text: e.Trimmed("Text")})
	}
	return all, nil
}
