package official

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits of a list. The search references are the largest, with 2 MB.
const (
	maxDocument = 64 << 20
	maxText     = 500 // bytes of a text
)

var (
	errLongDocument = fmt.Errorf("the file is longer than %d MB", maxDocument>>20)
	errShape        = errors.New("has an unknown format")
	errNoAnswer     = errors.New("has the name of a recorded answer, but is not the answer for a whole commodity")
	errText         = fmt.Errorf("the words must have 1 to %d bytes", maxText)
	errTarget       = errors.New("does not lead to a code of 2, 4, 6, 8 or 10 digits")
)

// readDocument reads a list in JSON, JSON lines or YAML, and returns its title.
func readDocument(from io.Reader, f *rowErrors) (title string, t read) {
	text, err := io.ReadAll(io.LimitReader(from, maxDocument+1))
	switch {
	case err != nil:
	case len(text) > maxDocument:
		err = errLongDocument
	case !utf8.Valid(text):
		err = errNotUTF8
	}
	if err != nil {
		f.add(0, err)
		return "", t
	}
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte(byteOrderMark))
	switch {
	case !bytes.HasPrefix(text, []byte("{")):
		title, t = "intercept messages (HMRC)", readIntercepts(text, f)
	case isLabelled(text):
		title, t = "labelled descriptions", readLabelled(text, f)
	default:
		title, t = readJSON(text, f)
	}
	if len(t.rows) == 0 {
		f.addIfEmpty()
	}
	return title, t
}

// readJSON recognises the three lists in JSON by their members.
func readJSON(text []byte, f *rowErrors) (title string, t read) {
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for n := 1; err == nil && d.More(); n++ {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err != nil {
			break
		}
		if err = d.Decode(&value); err != nil {
			break
		}
		key, _ := name.(string)
		switch value[0] {
		case '[':
			return "search references (HMRC)", readReferences(value, f)
		case '"':
			title, t.kind = "parcel references (HMRC)", ParcelReferences
			err = t.addParcel(key, value)
		case '{':
			title, t.kind = "supplementary units (HMRC)", Units
			err = t.addUnit(key, value)
		default:
			err = errShape
		}
		if err != nil && f.add(n, err) {
			return title, t
		}
		err = nil
	}
	if err != nil {
		f.add(0, fmt.Errorf("is invalid JSON: %w", err))
		return title, t
	}
	if _, err := d.Token(); err != nil {
		f.add(0, fmt.Errorf("is invalid JSON: %w", err))
	} else if _, err := d.Token(); !errors.Is(err, io.EOF) {
		f.add(0, errShape)
	}
	return title, t
}

func (t *read) addParcel(words string, value json.RawMessage) error {
	var code string
	if err := json.Unmarshal(value, &code); err != nil {
		return err
	}
	return t.addText(words, code)
}

// addText adds words and their code.
func (t *read) addText(words, code string) error {
	words = strings.TrimSpace(words)
	switch {
	case words == "" || len(words) > maxText:
		return errText
	case len(code)%2 != 0 || len(code) > codeDigits || !isDigits(code):
		return fmt.Errorf("%q %w (%q)", words, errTarget, code)
	case len(t.rows) == maxKept:
		return errManyKept
	}
	t.rows = append(t.rows, []string{words, code})
	return nil
}

// readReferences reads the search references: words with the code and the suffix of a line.
func readReferences(list json.RawMessage, f *rowErrors) read {
	t := read{kind: SearchReferences}
	var entries []json.RawMessage
	if err := json.Unmarshal(list, &entries); err != nil {
		f.add(0, err)
		return t
	}
	for n, entry := range entries {
		var e struct {
			Title  string `json:"title"`
			Code   string `json:"goods_nomenclature_item_id"`
			Suffix string `json:"productline_suffix"`
		}
		err := json.Unmarshal(entry, &e)
		if err == nil {
			err = t.addReference(e.Title, e.Code, e.Suffix)
		}
		if err != nil && f.add(n+1, err) {
			break
		}
	}
	return t
}

// addReference adds words. The code of a grouping line stands for all codes that begin with
// its digits.
func (t *read) addReference(words, code, suffix string) error {
	code, _, _ = strings.Cut(code, "-")
	if err := checkCode(code); err != nil {
		return err
	}
	if suffix != "" && suffix != "80" {
		code = significant(code)
	}
	return t.addText(words, code)
}

// significant returns a code without the pairs of zeros at its end.
func significant(code string) string {
	for len(code) > 2 && strings.HasSuffix(code, "00") {
		code = code[:len(code)-2]
	}
	return code
}

// label is a description with the code that was chosen for it.
type label struct {
	Query string `json:"query"`
	Code  string `json:"code"`
}

func isLabelled(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var l label
	return json.Unmarshal(first, &l) == nil && l.Query != "" && l.Code != ""
}

// readLabelled reads one object per line.
func readLabelled(text []byte, f *rowErrors) read {
	t := read{kind: Labelled}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxRecord)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var l label
		err := json.Unmarshal(lines.Bytes(), &l)
		if err == nil {
			err = t.addText(l.Query, l.Code)
		}
		if err != nil && f.add(n, err) {
			return t
		}
	}
	if err := lines.Err(); err != nil {
		f.add(0, errLongRecord)
	}
	return t
}
