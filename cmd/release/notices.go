package main

import (
	"fmt"
	"strings"
)

const rule = "================================================================================"

// carried is what modules bring along under a licence of theirs that they have the text
// of, and without the notice of whose it is.
const carried = "github.com/swaggest/swgui carries Swagger UI, Copyright SmartBear Software Inc., under the Apache License 2.0.\n"

// notices are the licences of all that is linked into a program, with their texts.
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
