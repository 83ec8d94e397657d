// Package docs embeds the documents that the program itself shows.
package docs

import _ "embed"

// Guide is the guide for the compliance team, in Markdown. The console shows it under /help.
//
//go:embed guide.md
var Guide string
