package main

import (
	"fmt"
	"strings"
)

const rule = "================================================================================"

// carried is code under another licence that is inside modules, whose text the module has without the copyright notice, or
// inside the program itself.
const carried = "github.com/swaggest/swgui carries Swagger UI, Copyright SmartBear Software Inc., under the Apache License 2.0.\n" +
	"golang.org/x/image carries the Go fonts, Copyright (c) 2016 Bigelow & Holmes Inc., under the same licence as the module.\n" +
	"The console carries pdf.js " + pdfjsVersion + ", Copyright Mozilla Foundation, under the Apache License 2.0.\n"

// Version of pdf.js, and the SHA-256 of its package. scripts/pdfjs fetches it.
const (
	pdfjsVersion = "5.6.205"
	pdfjsDigest  = "e196561c11faacf04e224e177b5d792619136cec5bd2274d8c743e577239ebc7"
)

// notices returns the licences of all modules in a program, with their texts.
func notices(c commit, p platform, modules []*module) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "What tidewaiter %s for %s is made of, and under which licences.\n\n", c.Version, p)
	for _, m := range modules {
		fmt.Fprintf(&out, "%s %s: %s\n", m.Path, m.Version, m.expression())
	}
	out.WriteString("\n" + carried)
	for _, m := range modules {
		for _, l := range m.Licences {
			fmt.Fprintf(&out, "\n%s\n%s %s, %s\n%s\n\n%s\n", rule, m.Path, m.Version, l.Name, rule, strings.TrimSpace(strings.ReplaceAll(l.Text, "\r\n", "\n")))
		}
	}
	return []byte(out.String())
}
