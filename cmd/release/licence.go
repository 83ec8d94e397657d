package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// licence is a licence file of a module, which is released with the program.
type licence struct {
	Name string   // within the module
	Text string   // as it is
	IDs  []string // SPDX ids; none if it is only a notice
}

// maxLicence is the maximum size of such a file in bytes.
const maxLicence = 256 << 10

// wording identifies a licence: texts that it contains and texts that it does not contain, in lower case with single
// spaces, and its number of words.
type wording struct {
	id     string
	has    []string
	hasNot string
	words  int
}

const (
	redistribution = "redistribution and use in source and binary forms with or without modification are permitted provided that the following conditions are met"
	endorsement    = "used to endorse or promote products derived from this software"
	anyPurpose     = "distribute this software for any purpose with or without fee is hereby granted"
	noticeAppears  = "provided that the above copyright notice and this permission notice appear in all copies"
)

// wordings are the accepted licences of linked modules, by SPDX id. docs/decisions.md says why.
var wordings = []wording{
	{"Apache-2.0", []string{"apache license version 2 0 january 2004", "grant of patent license", "accepting warranty or additional liability"}, "", 1610},
	{"MIT", []string{"permission is hereby granted free of charge to any person obtaining a copy of this software and associated documentation files", "to deal in the software without restriction"}, "shall be used for good", 165},
	{"BSD-3-Clause", []string{redistribution, endorsement}, "", 215},
	{"BSD-2-Clause", []string{redistribution}, "endorse or promote", 190},
	{"ISC", []string{anyPurpose, noticeAppears}, "", 115},
	{"0BSD", []string{anyPurpose}, "appear in all copies", 100},
	{"MPL-2.0", []string{"mozilla public license version 2 0", "covered software is provided under this license on an as is basis"}, "", 2500},
	{"LicenseRef-SQLite-public-domain", []string{"all of the code and documentation in sqlite has been dedicated to the public domain by the authors"}, "", 245},
}

// leeway is how many more words a file may have than its licences: names of the owners, and how to apply the licence.
// Additional terms, such as a ban on selling, need more words.
const leeway = 40

// read are files, by SHA-256, that match no wording and were checked by hand, with the licences of the linked parts.
var read = map[string][]string{
	"56210f826b8f0fbac3160dfe55c97f4019eb6cdda3963b5a0eab8a8bdb62360e": nil,                                                        // Go, BoringSSL, which only cgo links
	"b4366b9c27a9364633e015011a231913ed19bf1228f335bf617e50a6f7b168a6": {"BSD-3-Clause", "MIT", "LicenseRef-SQLite-public-domain"}, // modernc.org/sqlite, third parties
	"f597097efe3d97021f89170746bd3a0fb9a8b6fb26b82043ed68a4e0283bee6c": {"BSD-3-Clause", "MIT"},                                    // modernc.org/libc, third parties
	"0d9e582ee4bff57bf1189c9e514e6da7ce277f9cd3bc2d488b22fbb39a6d87cf": {"BSD-3-Clause"},                                           // github.com/klauspost/compress, without gzhttp and s2
	"5ae5bee3072a841376451b48d8cfcec7188e10543926d5870828d36c8a750dc5": nil,                                                        // modernc.org/memory, where a logo is from
}

var (
	licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)([-._].*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^(notice|patents|authors|copyright)([-._].*)?$`)
	notWord     = regexp.MustCompile(`[^a-z0-9]+`)
)

// license finds the licences of a module: in its folder, and in the folders down to the linked packages. It returns an
// error if there is none, or one that is not accepted.
func (m *module) license() error {
	for _, folder := range m.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || strings.HasSuffix(e.Name(), ".go") || !licenceName.MatchString(e.Name()) && !noticeName.MatchString(e.Name()) {
				continue
			}
			if err := m.take(folder, e); err != nil {
				return fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
			}
		}
	}
	if m.expression() == "" {
		return fmt.Errorf("%s %s has no licence", m.Path, m.Version)
	}
	return nil
}

func (m *module) take(folder string, e fs.DirEntry) error {
	if info, err := e.Info(); err != nil || info.Size() > maxLicence {
		return errors.Join(err, fmt.Errorf("%s cannot be a licence", e.Name()))
	}
	text, err := os.ReadFile(filepath.Join(folder, e.Name())) // #nosec G304 -- of the module cache
	if err != nil {
		return err
	}
	l := licence{Text: string(text)}
	if l.Name, err = filepath.Rel(m.Dir, filepath.Join(folder, e.Name())); err != nil {
		return err
	}
	if licenceName.MatchString(e.Name()) {
		if l.IDs, err = identify(l.Text); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	m.Licences = append(m.Licences, l)
	return nil
}

// identify returns the accepted licences in a text. It returns an error if there is none, or if there are additional
// terms.
func identify(text string) (ids []string, err error) {
	digest := sha256.Sum256([]byte(text))
	if ids, ok := read[hex.EncodeToString(digest[:])]; ok {
		return ids, nil
	}
	plain := " " + strings.TrimSpace(notWord.ReplaceAllString(strings.ToLower(text), " ")) + " "
	words, most := strings.Count(plain, " ")-1, leeway
	for _, w := range wordings {
		if w.fits(plain) {
			ids, most = append(ids, w.id), most+w.words
		}
	}
	switch {
	case len(ids) == 0:
		return nil, errors.New("none of the licences that are allowed")
	case words > most:
		return nil, fmt.Errorf("has %d words, more than %s", words, strings.Join(ids, " and "))
	}
	return ids, nil
}

func (w wording) fits(plain string) bool {
	for _, phrase := range w.has {
		if !strings.Contains(plain, phrase) {
			return false
		}
	}
	return w.hasNot == "" || !strings.Contains(plain, w.hasNot)
}

// expression returns all licences of a module as an SPDX expression.
func (m *module) expression() string {
	var ids []string
	for _, l := range m.Licences {
		ids = append(ids, l.IDs...)
	}
	return strings.Join(sortedSet(ids), " AND ")
}
