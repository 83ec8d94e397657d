package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// echoVariable makes the program answer without a database, with this number of bytes in a list. That is the limit
// of net/http.
const echoVariable = "BARE_ECHO"

// echo registers the answers without a database.
func echo(mux *http.ServeMux) error {
	size, err := strconv.Atoi(os.Getenv(echoVariable))
	if err != nil {
		return err
	}
	page := []byte(`{"filler":"` + strings.Repeat("x", max(0, size-len(`{"filler":""}`))) + `"}`)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, page) })
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		var made record
		raw, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(raw, &made.declaration)
		}
		var body []byte
		if err == nil {
			body, err = json.Marshal(made)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(w, http.StatusCreated, body)
	})
	return nil
}
