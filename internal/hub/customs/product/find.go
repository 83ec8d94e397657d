package product

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// textName is the kind of names that find a product by its code or its description.
const textName = "product.text"

// textsOf returns the names that find a product by its code and by its description.
func textsOf(texts ...string) (names []filing.Key) {
	for _, text := range texts {
		if name, ok := nameOfText(text); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nameOfText returns the name of products with a text: the SHA-256 of its letters and digits in lower case. False if it has none.
func nameOfText(text string) (filing.Key, bool) {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	sum := sha256.Sum256([]byte(letters))
	return filing.Key{Name: textName, Value: hex.EncodeToString(sum[:])}, letters != ""
}

// Known is a product with what customs accepted.
type Known struct {
	Product
	History []customs.AcceptedCode // newest first
}

// Tx reads products.
type Tx interface {
	filing.View
	// Namesakes returns the latest few records that have one of the names, except one record.
	Namesakes(names []filing.Key, but string) ([]filing.NamedRecord, error)
}

// noRecord is the id of no record.
const noRecord = "00000000-0000-0000-0000-000000000000"

// Find returns the latest few products whose code or description is a text apart from case, spaces and punctuation, without
// archived ones.
func Find(tx Tx, text string) (all []Known, err error) {
	name, ok := nameOfText(text)
	if !ok {
		return nil, nil
	}
	records, err := tx.Namesakes([]filing.Key{name}, noRecord)
	for i := 0; i < len(records) && err == nil; i++ {
		if records[i].Status != lifecycle.Archived {
			all, err = read(tx, records[i].ID, all)
		}
	}
	return all, err
}

// read appends a product.
func read(tx Tx, id string, all []Known) ([]Known, error) {
	f, err := tx.Filing(Kind, id)
	if err != nil {
		return nil, err
	}
	var k Known
	if err := json.Unmarshal(f.Body, &k.Product); err != nil {
		return nil, err
	}
	k.History, err = customs.ProductHistory(tx, id)
	return append(all, k), err
}
